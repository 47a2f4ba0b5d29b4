-- What moderators find comments by beside their states, with all that other filters ask for.
CREATE INDEX comment_by_domain ON comment (
    tenant_id, domain, created_at, seq, is_deleted, is_approved, is_spam, is_reviewed, flag_count, is_locked
);
-- Comments that some moderators only see.
CREATE INDEX comment_grouped ON comment (tenant_id, created_at, seq) WHERE moderation_groups IS NOT NULL;
-- Texts that are the same begin alike.
CREATE INDEX comment_by_beginning ON comment (tenant_id, substr(source, 1, 24));

-- What moderators see of a comment besides its record.
CREATE VIEW comment_detail AS
SELECT
    c.seq, g.url_id, g.title, c.local_date_string, c.expire_at,
    (SELECT COUNT(*) FROM comment AS r WHERE r.parent_seq = c.seq AND r.is_deleted = 0) AS reply_count
FROM comment AS c JOIN page AS g ON g.id = c.page_id;

-- Files of comments that an administrator asked for. They are made in parts, each of which is in the file before the row
-- says so.
CREATE TABLE export_job (
    id           TEXT    NOT NULL PRIMARY KEY,
    tenant_id    TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    created_at   BIGINT  NOT NULL,
    -- What was asked for, as a JSON object.
    request      TEXT    NOT NULL,
    -- requested, running, success, failed or expired
    state        TEXT    NOT NULL,
    record_count BIGINT  NOT NULL DEFAULT 0,
    -- Of the file in the folder `exports`; unguessable.
    file         TEXT    NOT NULL UNIQUE,
    byte_count   BIGINT  NOT NULL DEFAULT 0,
    -- Where the next part begins: behind this comment.
    place_date   BIGINT,
    place_seq    BIGINT,
    expires_at   BIGINT
);
CREATE INDEX export_job_by_tenant ON export_job (tenant_id, created_at);
CREATE INDEX export_job_open ON export_job (created_at, id) WHERE state IN ('requested', 'running');
CREATE INDEX export_job_by_end ON export_job (expires_at) WHERE expires_at IS NOT NULL;
