CREATE TABLE vote (
    id            TEXT    NOT NULL PRIMARY KEY,
    tenant_id     TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    comment_seq   BIGINT  NOT NULL REFERENCES comment (seq) ON DELETE CASCADE,
    -- user_id of a person or anon_user_id of a guest.
    voter_key     TEXT    NOT NULL,
    user_id       TEXT,
    anon_user_id  TEXT,
    -- 1 or -1
    direction     INTEGER NOT NULL,
    -- Not counted until the voter's address is confirmed.
    is_pending    INTEGER NOT NULL DEFAULT 0,
    voter_name    TEXT,
    voter_email   TEXT,
    edit_key_hash TEXT,
    created_at    BIGINT  NOT NULL,
    UNIQUE (comment_seq, voter_key)
);
CREATE INDEX vote_by_voter ON vote (tenant_id, voter_key, comment_seq);
