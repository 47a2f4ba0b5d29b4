-- Whom a site wants to be told of what happens to its comments. Events: 0 created, 1 deleted, 2 updated.
CREATE TABLE webhook (
    id            TEXT    NOT NULL PRIMARY KEY,
    tenant_id     TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    url           TEXT    NOT NULL,
    event         INTEGER NOT NULL,
    -- '*' is every domain.
    domain        TEXT    NOT NULL,
    method        TEXT    NOT NULL,
    -- 'api' or 'operator'.
    source        TEXT    NOT NULL,
    sends_key     INTEGER NOT NULL DEFAULT 0,
    is_enabled    INTEGER NOT NULL DEFAULT 1,
    -- When the first of the failures came that no success followed.
    failing_since BIGINT,
    created_at    BIGINT  NOT NULL
);
CREATE INDEX webhook_by_tenant ON webhook (tenant_id, created_at, id);

-- A tenant in memory knows what it is to be told of.
CREATE TRIGGER webhook_added AFTER INSERT ON webhook BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;
CREATE TRIGGER webhook_removed AFTER DELETE ON webhook BEGIN
    DELETE FROM tenant_change WHERE tenant_id = old.tenant_id;
    INSERT INTO tenant_change (tenant_id) SELECT id FROM tenant WHERE id = old.tenant_id;
END;

-- What is still to be told, in the order it happened. The body is sent as it stands here.
CREATE TABLE webhook_event (
    seq             INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT    NOT NULL UNIQUE,
    tenant_id       TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    webhook_id      TEXT    NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    event           INTEGER NOT NULL,
    comment_id      TEXT    NOT NULL,
    external_id     TEXT,
    -- Of the comment; that of the webhook where the comment has none.
    domain          TEXT    NOT NULL,
    body            TEXT    NOT NULL,
    attempt_count   INTEGER NOT NULL DEFAULT 0,
    next_attempt_at BIGINT  NOT NULL,
    -- JSON: what the last attempt met.
    last_error      TEXT,
    created_at      BIGINT  NOT NULL,
    -- One unit of work tells of a comment once.
    UNIQUE (webhook_id, comment_id, created_at)
);
CREATE INDEX webhook_event_by_attempt ON webhook_event (webhook_id, next_attempt_at, seq);
CREATE INDEX webhook_event_by_comment ON webhook_event (comment_id, seq);
CREATE INDEX webhook_event_by_tenant ON webhook_event (tenant_id, created_at, seq);
CREATE INDEX webhook_event_by_age ON webhook_event (created_at);

-- Somebody whose comments all changed at once: those older than the place are still to be told of.
CREATE TABLE webhook_sweep (
    id         INTEGER PRIMARY KEY,
    tenant_id  TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    author_key TEXT   NOT NULL,
    before_seq BIGINT NOT NULL
);
CREATE INDEX webhook_sweep_by_tenant ON webhook_sweep (tenant_id);
