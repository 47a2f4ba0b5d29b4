-- What moderators decide about a comment, and what they find it by.
ALTER TABLE comment ADD COLUMN is_reviewed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE comment ADD COLUMN is_perm_not_spam INTEGER NOT NULL DEFAULT 0;
-- The verdict of the program, which no moderator changes.
ALTER TABLE comment ADD COLUMN is_ai_spam INTEGER NOT NULL DEFAULT 0;
ALTER TABLE comment ADD COLUMN is_hidden_by_flags INTEGER NOT NULL DEFAULT 0;
-- Keyed hash of the client's address.
ALTER TABLE comment ADD COLUMN address_hash TEXT;
-- Host of the page's address.
ALTER TABLE comment ADD COLUMN domain TEXT;
-- Lower case, without what stands behind a plus sign.
ALTER TABLE comment ADD COLUMN email_key TEXT;
ALTER TABLE comment ADD COLUMN email_domain TEXT;
-- Of a comment that was imported, or that a site's backend wrote.
ALTER TABLE comment ADD COLUMN external_id TEXT;
ALTER TABLE comment ADD COLUMN external_parent_id TEXT;
ALTER TABLE comment ADD COLUMN expire_at BIGINT;
ALTER TABLE comment ADD COLUMN verified_at BIGINT;

UPDATE comment SET is_reviewed = 1 WHERE is_by_admin = 1 OR is_by_moderator = 1;
UPDATE comment SET email_key = lower(
    CASE WHEN instr(commenter_email, '+') BETWEEN 1 AND instr(commenter_email, '@')
    THEN substr(commenter_email, 1, instr(commenter_email, '+') - 1)
         || substr(commenter_email, instr(commenter_email, '@'))
    ELSE commenter_email END)
WHERE commenter_email IS NOT NULL;
UPDATE comment SET email_domain = substr(email_key, instr(email_key, '@') + 1) WHERE email_key IS NOT NULL;

-- With all that filters ask for, so that what is rare is found without the rows.
CREATE INDEX comment_by_date ON comment (
    tenant_id, created_at, seq, is_deleted, is_approved, is_spam, is_reviewed, flag_count, is_locked
);
CREATE INDEX comment_unreviewed ON comment (tenant_id, created_at, seq) WHERE is_reviewed = 0;
CREATE INDEX comment_unapproved ON comment (tenant_id, created_at, seq) WHERE is_approved = 0;
CREATE INDEX comment_spam ON comment (tenant_id, created_at, seq) WHERE is_spam = 1;
CREATE INDEX comment_flagged ON comment (tenant_id, created_at, seq) WHERE flag_count > 0;
CREATE INDEX comment_locked_of_tenant ON comment (tenant_id, created_at, seq) WHERE is_locked = 1;
CREATE INDEX comment_by_address ON comment (tenant_id, address_hash) WHERE address_hash IS NOT NULL;
CREATE INDEX comment_by_email ON comment (tenant_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX comment_by_email_domain ON comment (tenant_id, email_domain) WHERE email_domain IS NOT NULL;

-- How many comments of a tenant are in each state; placeholders of deleted ones do not count. The state is a sum of
-- 1 approved, 2 spam, 4 reviewed, 8 flagged, 16 locked.
CREATE TABLE comment_count (
    tenant_id TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    state     INTEGER NOT NULL,
    count     BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, state)
) WITHOUT ROWID;
INSERT INTO comment_count (tenant_id, state, count)
SELECT tenant_id, is_approved + 2 * is_spam + 4 * is_reviewed + 8 * (flag_count > 0) + 16 * is_locked, COUNT(*)
FROM comment WHERE is_deleted = 0 GROUP BY 1, 2;

CREATE TRIGGER comment_is_counted AFTER INSERT ON comment WHEN NEW.is_deleted = 0 BEGIN
    INSERT INTO comment_count (tenant_id, state, count)
    VALUES (
        NEW.tenant_id,
        NEW.is_approved + 2 * NEW.is_spam + 4 * NEW.is_reviewed + 8 * (NEW.flag_count > 0) + 16 * NEW.is_locked, 1)
    ON CONFLICT (tenant_id, state) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER comment_is_gone AFTER DELETE ON comment WHEN OLD.is_deleted = 0 BEGIN
    UPDATE comment_count SET count = count - 1
    WHERE tenant_id = OLD.tenant_id AND state =
        OLD.is_approved + 2 * OLD.is_spam + 4 * OLD.is_reviewed + 8 * (OLD.flag_count > 0) + 16 * OLD.is_locked;
END;
CREATE TRIGGER comment_state_changes
AFTER UPDATE OF is_approved, is_spam, is_reviewed, flag_count, is_locked, is_deleted ON comment BEGIN
    UPDATE comment_count SET count = count - 1
    WHERE OLD.is_deleted = 0 AND tenant_id = OLD.tenant_id AND state =
        OLD.is_approved + 2 * OLD.is_spam + 4 * OLD.is_reviewed + 8 * (OLD.flag_count > 0) + 16 * OLD.is_locked;
    INSERT INTO comment_count (tenant_id, state, count)
    SELECT NEW.tenant_id,
        NEW.is_approved + 2 * NEW.is_spam + 4 * NEW.is_reviewed + 8 * (NEW.flag_count > 0) + 16 * NEW.is_locked, 1
    WHERE NEW.is_deleted = 0
    ON CONFLICT (tenant_id, state) DO UPDATE SET count = count + 1;
END;

-- What happened to a comment, in order: which phase decided about it and why, and what moderators did. Stays when the
-- comment goes.
CREATE TABLE comment_log (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id  TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    comment_id TEXT   NOT NULL,
    happened_at BIGINT NOT NULL,
    event      TEXT   NOT NULL,
    -- Who did it; NULL is the program.
    actor      TEXT,
    before     TEXT,
    after      TEXT
);
CREATE INDEX comment_log_by_comment ON comment_log (tenant_id, comment_id, id);

-- An invited moderator, or the statistics of somebody who is one by sign-on or as a user of the tenant.
CREATE TABLE moderator (
    id                  TEXT    NOT NULL PRIMARY KEY,
    tenant_id           TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    name                TEXT,
    email               TEXT,
    email_key           TEXT,
    user_id             TEXT,
    has_accepted        INTEGER NOT NULL DEFAULT 0,
    moderation_groups   TEXT,
    reviewed_count      BIGINT  NOT NULL DEFAULT 0,
    deleted_count       BIGINT  NOT NULL DEFAULT 0,
    spam_count          BIGINT  NOT NULL DEFAULT 0,
    not_spam_count      BIGINT  NOT NULL DEFAULT 0,
    approved_count      BIGINT  NOT NULL DEFAULT 0,
    unapproved_count    BIGINT  NOT NULL DEFAULT 0,
    edited_count        BIGINT  NOT NULL DEFAULT 0,
    banned_count        BIGINT  NOT NULL DEFAULT 0,
    unflagged_count     BIGINT  NOT NULL DEFAULT 0,
    created_at          BIGINT  NOT NULL,
    UNIQUE (tenant_id, email_key)
);
CREATE INDEX moderator_by_user ON moderator (tenant_id, user_id);

-- Who did what to the site. Comments and votes are not in it: they have logs of their own.
CREATE TABLE audit_log (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id     TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    happened_at   BIGINT NOT NULL,
    resource      TEXT   NOT NULL,
    -- c, r, u, d or login
    act           TEXT   NOT NULL,
    -- ui, api or cron
    origin        TEXT   NOT NULL,
    actor_id      TEXT,
    actor_name    TEXT,
    url           TEXT,
    address_hash  TEXT,
    description   TEXT   NOT NULL,
    detail        TEXT
);
CREATE INDEX audit_log_by_tenant ON audit_log (tenant_id, happened_at, id);

-- Comments that were removed or turned into placeholders, for as long as that can be taken back. The tables below have the
-- columns of their originals, in the same order: what is added there is added here.
CREATE TABLE trash (
    seq           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL,
    tenant_id     TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- The comment whose removal took this one with it.
    root_seq      BIGINT  NOT NULL,
    removed_at    BIGINT  NOT NULL,
    is_anonymised INTEGER NOT NULL DEFAULT 0,
    words         TEXT
);
CREATE INDEX trash_by_id ON trash (tenant_id, id);
CREATE INDEX trash_by_root ON trash (root_seq);
CREATE INDEX trash_by_age ON trash (removed_at);
CREATE TABLE trash_comment AS SELECT * FROM comment WHERE false;
CREATE UNIQUE INDEX trash_comment_by_seq ON trash_comment (seq);
CREATE TABLE trash_vote AS SELECT * FROM vote WHERE false;
CREATE INDEX trash_vote_by_comment ON trash_vote (comment_seq);
CREATE TABLE trash_flag AS SELECT * FROM comment_flag WHERE false;
CREATE INDEX trash_flag_by_comment ON trash_flag (comment_seq);
CREATE TABLE trash_hash_tag AS SELECT * FROM comment_hash_tag WHERE false;
CREATE INDEX trash_hash_tag_by_comment ON trash_hash_tag (comment_seq);
CREATE TRIGGER trash_is_emptied AFTER DELETE ON trash BEGIN
    DELETE FROM trash_comment WHERE seq = OLD.seq;
    DELETE FROM trash_vote WHERE comment_seq = OLD.seq;
    DELETE FROM trash_flag WHERE comment_seq = OLD.seq;
    DELETE FROM trash_hash_tag WHERE comment_seq = OLD.seq;
END;

DROP VIEW comment_record;
CREATE VIEW comment_record AS
SELECT
    c.seq, c.id, c.tenant_id, c.page_id, c.parent_seq, c.parent_id, c.user_id, c.anon_user_id, c.commenter_name,
    c.commenter_link, c.display_label AS written_label, c.source, c.html, c.url, c.locale, c.created_at, c.votes_up,
    c.votes_down, c.pinned_at, c.is_locked, c.is_approved, c.is_spam, c.is_deleted, c.is_deleted_user, c.is_verified,
    c.is_by_admin, c.is_by_moderator, c.has_images, c.has_links, c.has_code, c.flag_count, c.rating, c.feedback_ids,
    c.edit_key_hash, c.edit_key_expires_at, c.commenter_email, p.username, p.display_name,
    p.display_label AS person_label, p.avatar AS person_avatar, p.website_url, c.view_count, c.mentions, c.hash_tags,
    c.is_reviewed, c.is_perm_not_spam, c.is_hidden_by_flags, c.moderation_groups
FROM comment AS c
LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id;

-- What the tenant decides about new comments, as a JSON object.
ALTER TABLE tenant ADD COLUMN moderation TEXT NOT NULL DEFAULT '{}';
