-- What a site's people can be given.
CREATE TABLE badge (
    id               TEXT    NOT NULL PRIMARY KEY,
    tenant_id        TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    created_by       TEXT    NOT NULL,
    created_at       BIGINT  NOT NULL,
    -- One that is not is given to nobody else; its holders keep it.
    is_enabled       INTEGER NOT NULL DEFAULT 1,
    -- 0 to 13 are earned, 14 is given by hand.
    type             INTEGER NOT NULL,
    threshold        BIGINT  NOT NULL DEFAULT 0,
    -- Of type 4, milliseconds since the first comment.
    veteran_millis   BIGINT,
    name             TEXT    NOT NULL,
    description      TEXT    NOT NULL,
    label            TEXT    NOT NULL,
    image            TEXT,
    background_color TEXT,
    border_color     TEXT,
    text_color       TEXT,
    css_class        TEXT,
    -- Shown on that page only.
    url_id           TEXT,
    -- Whoever gets this one does not show that one any more.
    replaces         TEXT
);
CREATE INDEX badge_by_tenant ON badge (tenant_id, created_at, id);

-- Who has it.
CREATE TABLE user_badge (
    id           TEXT    NOT NULL PRIMARY KEY,
    tenant_id    TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- Wire id of a person or guest.
    user_key     TEXT    NOT NULL,
    badge_id     TEXT    NOT NULL REFERENCES badge (id) ON DELETE CASCADE,
    is_displayed INTEGER NOT NULL DEFAULT 1,
    received_at  BIGINT  NOT NULL,
    UNIQUE (tenant_id, user_key, badge_id)
);
CREATE INDEX user_badge_by_badge ON user_badge (badge_id);
CREATE INDEX user_badge_by_date ON user_badge (tenant_id, received_at, id);

CREATE VIEW user_badge_record AS
SELECT
    u.id, u.tenant_id, u.user_key, u.is_displayed, u.received_at, b.id AS badge_id, b.type, b.threshold,
    b.veteran_millis, b.description, b.label, b.image, b.background_color, b.border_color, b.text_color, b.css_class,
    b.url_id
FROM user_badge AS u JOIN badge AS b ON b.id = u.badge_id;

-- How far a moderator trusts somebody, 0 to 100, whatever follows from what they wrote.
CREATE TABLE manual_trust (
    tenant_id TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    user_key  TEXT    NOT NULL,
    factor    INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, user_key)
);

-- People who may have earned a badge since it was looked at last. `changes` tells whether that was again meanwhile.
CREATE TABLE badge_check (
    tenant_id TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    user_key  TEXT   NOT NULL,
    changes   BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, user_key)
) WITHOUT ROWID;
-- Sites without such badges note nothing.
CREATE INDEX badge_to_earn ON badge (tenant_id) WHERE is_enabled = 1 AND type < 14;

-- Whoever writes, and whoever is answered.
CREATE TRIGGER comment_may_earn_badge AFTER INSERT ON comment
WHEN EXISTS (SELECT 1 FROM badge WHERE tenant_id = NEW.tenant_id AND is_enabled = 1 AND type < 14) BEGIN
    INSERT INTO badge_check (tenant_id, user_key)
    SELECT tenant_id, author_key FROM comment
    WHERE seq IN (NEW.seq, NEW.parent_seq) AND author_key IS NOT NULL
    ON CONFLICT (tenant_id, user_key) DO UPDATE SET changes = changes + 1;
END;
CREATE TRIGGER change_may_earn_badge AFTER UPDATE OF is_approved, is_spam, pinned_at ON comment
WHEN EXISTS (SELECT 1 FROM badge WHERE tenant_id = NEW.tenant_id AND is_enabled = 1 AND type < 14) BEGIN
    INSERT INTO badge_check (tenant_id, user_key)
    SELECT tenant_id, author_key FROM comment
    WHERE seq IN (NEW.seq, NEW.parent_seq) AND author_key IS NOT NULL
    ON CONFLICT (tenant_id, user_key) DO UPDATE SET changes = changes + 1;
END;
CREATE TRIGGER vote_may_earn_badge AFTER INSERT ON vote
WHEN EXISTS (SELECT 1 FROM badge WHERE tenant_id = NEW.tenant_id AND is_enabled = 1 AND type < 14) BEGIN
    INSERT INTO badge_check (tenant_id, user_key)
    SELECT tenant_id, author_key FROM comment WHERE seq = NEW.comment_seq AND author_key IS NOT NULL
    ON CONFLICT (tenant_id, user_key) DO UPDATE SET changes = changes + 1;
END;
CREATE TRIGGER moderation_may_earn_badge AFTER UPDATE ON moderator
WHEN NEW.user_id IS NOT NULL
 AND EXISTS (SELECT 1 FROM badge WHERE tenant_id = NEW.tenant_id AND is_enabled = 1 AND type < 14) BEGIN
    INSERT INTO badge_check (tenant_id, user_key) VALUES (NEW.tenant_id, NEW.user_id)
    ON CONFLICT (tenant_id, user_key) DO UPDATE SET changes = changes + 1;
END;
