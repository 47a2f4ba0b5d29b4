-- What judges new comments is a part of the tenant that servers keep in memory.
DROP TRIGGER tenant_changed;
CREATE TRIGGER tenant_changed AFTER UPDATE ON tenant
WHEN (new.name, new.owner_email, new.domains, new.allows_simple_sso, new.settings, new.moderation)
    IS NOT (old.name, old.owner_email, old.domains, old.allows_simple_sso, old.settings, old.moderation) BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.id);
END;

-- Which phase of the decision about a comment an entry is from; NULL for what people did.
ALTER TABLE comment_log ADD COLUMN phase TEXT;

-- What moderators taught the filter: how many comments with a feature they marked. Learned with the mark, in one
-- transaction.
CREATE TABLE spam_feature (
    tenant_id  TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    feature    TEXT   NOT NULL,
    spam_count BIGINT NOT NULL,
    ham_count  BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, feature)
) WITHOUT ROWID;
CREATE TABLE spam_total (
    tenant_id    TEXT   NOT NULL PRIMARY KEY REFERENCES tenant (id) ON DELETE CASCADE,
    spam_count   BIGINT NOT NULL,
    ham_count    BIGINT NOT NULL,
    -- All there ever were, those that were taken back included.
    lesson_count BIGINT NOT NULL
);
-- What was learned of which comment, so that it is learned once and can be taken back exactly.
CREATE TABLE spam_lesson (
    tenant_id  TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    comment_id TEXT    NOT NULL,
    is_spam    INTEGER NOT NULL,
    -- JSON array.
    features   TEXT    NOT NULL,
    learned_at BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, comment_id)
);
CREATE INDEX spam_lesson_by_age ON spam_lesson (tenant_id, learned_at);

-- Of authors who never proved their address, for tenants who do not keep them.
CREATE INDEX comment_unverified ON comment (tenant_id, created_at, seq)
WHERE is_verified = 0 AND is_reviewed = 0 AND is_deleted = 0;
