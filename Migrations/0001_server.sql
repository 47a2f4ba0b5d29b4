-- Facts about this server: secrets it made for itself, the last health check.
CREATE TABLE server_state (
    key   TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
);

-- Every event that was announced, in the order of commits. Clients that reconnect read from here.
CREATE TABLE event_log (
    position     INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL,
    tenant_id    TEXT    NOT NULL,
    room         TEXT    NOT NULL,
    stamp        INTEGER NOT NULL,  -- ms since 1970, at least 2 apart within a room
    published_at INTEGER NOT NULL,  -- ms since 1970 by the wall clock
    broadcast_id TEXT    NOT NULL,
    audience     INTEGER NOT NULL,  -- 0 everyone, 1 author and moderators, 2 moderators, 3 all others
    identity     TEXT    NOT NULL,  -- of audience 1 and 3, else ''
    data         TEXT    NOT NULL   -- the JSON object as it was sent
);

CREATE UNIQUE INDEX event_log_room ON event_log (tenant_id, room, stamp);
