CREATE TABLE comment_flag (
    comment_seq BIGINT NOT NULL REFERENCES comment (seq) ON DELETE CASCADE,
    flagger_key TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (comment_seq, flagger_key)
);

-- Who does not want to see whom, for the whole tenant.
CREATE TABLE block (
    tenant_id   TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    blocker_key TEXT   NOT NULL,
    blocked_key TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, blocker_key, blocked_key)
);
