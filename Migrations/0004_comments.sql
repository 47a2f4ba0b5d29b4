CREATE TABLE page (
    -- Never used twice: what readers keep in memory is named by it.
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id  TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    url_id     TEXT    NOT NULL,
    url        TEXT    NOT NULL,
    title      TEXT,
    is_closed  INTEGER NOT NULL DEFAULT 0,
    group_ids  TEXT,
    -- Rises with every change to a comment of the page: readers keep the order of a thread in memory by it.
    version    BIGINT  NOT NULL DEFAULT 0,
    created_at BIGINT  NOT NULL,
    updated_at BIGINT  NOT NULL,
    UNIQUE (tenant_id, url_id)
);

CREATE TABLE comment (
    -- Order of insertion, which breaks ties of time.
    seq                 INTEGER PRIMARY KEY AUTOINCREMENT,
    id                  TEXT    NOT NULL UNIQUE,
    tenant_id           TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    page_id             BIGINT  NOT NULL REFERENCES page (id) ON DELETE CASCADE,
    -- The parent twice: as number for ordering threads, as id for answers. No cascade: deletion announces each row.
    parent_seq          BIGINT,
    parent_id           TEXT,
    -- user_id of a person or anon_user_id of a guest; author_key is whichever is set.
    user_id             TEXT,
    anon_user_id        TEXT,
    author_key          TEXT,
    commenter_name      TEXT    NOT NULL,
    commenter_email     TEXT,
    commenter_link      TEXT,
    avatar              TEXT,
    display_label       TEXT,
    source              TEXT    NOT NULL,
    html                TEXT    NOT NULL,
    url                 TEXT    NOT NULL,
    locale              TEXT,
    created_at          BIGINT  NOT NULL,
    edited_at           BIGINT,
    client_date         BIGINT,
    local_date_string   TEXT,
    local_date_hours    BIGINT,
    votes_up            BIGINT  NOT NULL DEFAULT 0,
    votes_down          BIGINT  NOT NULL DEFAULT 0,
    score               DOUBLE PRECISION NOT NULL,
    pinned_at           BIGINT,
    is_locked           INTEGER NOT NULL DEFAULT 0,
    is_approved         INTEGER NOT NULL DEFAULT 1,
    is_spam             INTEGER NOT NULL DEFAULT 0,
    is_deleted          INTEGER NOT NULL DEFAULT 0,
    is_deleted_user     INTEGER NOT NULL DEFAULT 0,
    is_verified         INTEGER NOT NULL DEFAULT 0,
    is_by_admin         INTEGER NOT NULL DEFAULT 0,
    is_by_moderator     INTEGER NOT NULL DEFAULT 0,
    has_images          INTEGER NOT NULL DEFAULT 0,
    has_links           INTEGER NOT NULL DEFAULT 0,
    has_code            INTEGER NOT NULL DEFAULT 0,
    flag_count          BIGINT  NOT NULL DEFAULT 0,
    rating              DOUBLE PRECISION,
    -- JSON, as sent.
    feedback_ids        TEXT,
    question_values     TEXT,
    mentions            TEXT,
    meta                TEXT,
    moderation_groups   TEXT,
    -- Hash of the guest's key for editing; null once it was guessed wrong.
    edit_key_hash       TEXT,
    edit_key_expires_at BIGINT,
    -- By which a repetition is recognised.
    text_digest         TEXT
);
-- All that the order and the visibility of a thread depend on, so that a thread is ordered without its texts.
CREATE INDEX comment_thread ON comment (
    page_id, seq, parent_seq, created_at, score, pinned_at, is_approved, is_spam, is_deleted, author_key
);
CREATE INDEX comment_by_author ON comment (tenant_id, author_key, seq);
CREATE INDEX comment_by_tenant ON comment (tenant_id, seq);
CREATE INDEX comment_by_parent ON comment (parent_seq);
CREATE INDEX comment_locked ON comment (page_id) WHERE is_locked = 1;

CREATE TABLE comment_hash_tag (
    comment_seq BIGINT NOT NULL REFERENCES comment (seq) ON DELETE CASCADE,
    tag         TEXT   NOT NULL,
    PRIMARY KEY (comment_seq, tag)
);

-- A comment with its author's present name and picture.
CREATE VIEW comment_record AS
SELECT
    c.seq, c.id, c.tenant_id, c.page_id, c.parent_seq, c.parent_id, c.user_id, c.anon_user_id, c.commenter_name,
    c.commenter_link, c.display_label AS written_label, c.source, c.html, c.url, c.locale, c.created_at, c.votes_up,
    c.votes_down, c.pinned_at, c.is_locked, c.is_approved, c.is_spam, c.is_deleted, c.is_deleted_user, c.is_verified,
    c.is_by_admin, c.is_by_moderator, c.has_images, c.has_links, c.has_code, c.flag_count, c.rating, c.feedback_ids,
    c.edit_key_hash, c.edit_key_expires_at, c.commenter_email, p.username, p.display_name,
    p.display_label AS person_label, p.avatar AS person_avatar, p.website_url
FROM comment AS c
LEFT JOIN person AS p ON p.tenant_id = c.tenant_id AND p.id = c.user_id;
