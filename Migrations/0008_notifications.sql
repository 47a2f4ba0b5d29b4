-- What a person or guest is told of: one row for each comment that concerns them, and one for all votes on a comment of
-- theirs. Names, texts and counts are not copied; they are read from where they are kept.
CREATE TABLE notice (
    -- Order of time: a notice that becomes new again gets a new number.
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    tenant_id   TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- Wire id of whoever is told.
    owner_key   TEXT    NOT NULL,
    -- 0 reply, 1 reply in a thread, 2 votes, 3 new on a subscribed page, 7 mention
    kind        INTEGER NOT NULL,
    is_of_votes INTEGER NOT NULL,
    -- The comment that caused it, or that was voted on. No reference: what hangs on a deleted comment is not shown, and
    -- goes in small steps afterwards.
    comment_seq BIGINT  NOT NULL,
    -- The owner's own comment that ties them to it, else the same comment.
    related_seq BIGINT  NOT NULL,
    is_viewed   INTEGER NOT NULL DEFAULT 0,
    -- Counts in the bell's number; never when it was viewed.
    is_counted  INTEGER NOT NULL DEFAULT 1,
    is_sent     INTEGER NOT NULL DEFAULT 0,
    created_at  BIGINT  NOT NULL,
    -- The owner comes last, so that the many of one comment lie together.
    UNIQUE (comment_seq, is_of_votes, owner_key)
);
CREATE INDEX notice_of_owner ON notice (tenant_id, owner_key, created_at, id);
CREATE INDEX notice_counted ON notice (tenant_id, owner_key, created_at, comment_seq) WHERE is_counted = 1;

-- Notices as they are shown, each with its comment and page.
CREATE VIEW notice_record AS
SELECT
    n.id, n.tenant_id, n.owner_key, n.kind, n.is_of_votes, n.comment_seq, n.related_seq, n.is_viewed, n.is_counted,
    n.is_sent, n.created_at, c.id AS comment_id, c.page_id, p.url_id, p.url, p.title, m.id AS related_id
FROM notice AS n
JOIN comment AS c ON c.seq = n.comment_seq AND c.is_deleted = 0
                 AND (n.is_of_votes = 1 OR (c.is_approved = 1 AND c.is_spam = 0))
JOIN page AS p ON p.id = c.page_id
LEFT JOIN comment AS m ON m.seq = n.related_seq;

-- Comments of which somebody wants to hear nothing more.
CREATE TABLE notice_opt_out (
    comment_seq BIGINT NOT NULL REFERENCES comment (seq) ON DELETE CASCADE,
    owner_key   TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (comment_seq, owner_key)
);

-- Who wants to hear of new threads on a page, also of one where nothing was written yet.
CREATE TABLE subscription (
    id                     TEXT   NOT NULL PRIMARY KEY,
    tenant_id              TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    url_id                 TEXT   NOT NULL,
    -- user_id of a person or anon_user_id of a guest; owner_key is whichever is set.
    owner_key              TEXT   NOT NULL,
    user_id                TEXT,
    anon_user_id           TEXT,
    url                    TEXT   NOT NULL,
    page_title             TEXT,
    notification_frequency INTEGER,
    created_at             BIGINT NOT NULL,
    UNIQUE (tenant_id, url_id, owner_key)
);
CREATE INDEX subscription_by_owner ON subscription (tenant_id, owner_key, created_at);

-- What is still to be made or taken away. Written with the change that asks for it; each step moves on together with its
-- notices, so that a step is never done twice or half.
CREATE TABLE notice_job (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id   TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- 0 a comment became visible, 1 it was edited, 2 it is gone
    kind        INTEGER NOT NULL,
    comment_seq BIGINT  NOT NULL,
    -- 0 people named and answered, 1 people of the thread, 2 subscribers
    phase       INTEGER NOT NULL DEFAULT 0,
    -- Owners up to this one are done.
    done_to     TEXT    NOT NULL DEFAULT '',
    created_at  BIGINT  NOT NULL
);

-- Counting votes and naming the latest voters must not cost a look at every vote.
CREATE INDEX vote_newest ON vote (comment_seq, direction, is_pending, created_at, id, voter_key);
-- A user feed names no tenant.
CREATE INDEX guest_by_id ON guest (id);
