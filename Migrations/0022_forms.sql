-- Questions that a site asks with its threads, and what people answered.
CREATE TABLE question_config (
    id                  TEXT    NOT NULL PRIMARY KEY,
    tenant_id           TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    name                TEXT    NOT NULL,
    question            TEXT    NOT NULL,
    help_text           TEXT    NOT NULL,
    created_at          BIGINT  NOT NULL,
    -- Of all results; triggers count.
    used_count          BIGINT  NOT NULL DEFAULT 0,
    last_used           BIGINT  NOT NULL,
    type                TEXT    NOT NULL,
    num_stars           BIGINT  NOT NULL,
    min_value           DOUBLE PRECISION NOT NULL,
    max_value           DOUBLE PRECISION NOT NULL,
    default_value       DOUBLE PRECISION NOT NULL,
    label_negative      TEXT    NOT NULL,
    label_positive      TEXT    NOT NULL,
    -- JSON, as answered.
    custom_options      TEXT    NOT NULL,
    sub_question_ids    TEXT    NOT NULL,
    always_shows_subs   INTEGER NOT NULL,
    reporting_order     DOUBLE PRECISION NOT NULL
);
CREATE INDEX question_config_by_question ON question_config (tenant_id, question, id);

-- A result whose question is gone shows nowhere, and goes in small units later.
CREATE TABLE question_result (
    id           TEXT   NOT NULL PRIMARY KEY,
    tenant_id    TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    question_id  TEXT   NOT NULL,
    url_id       TEXT   NOT NULL,
    user_id      TEXT   NOT NULL,
    anon_user_id TEXT   NOT NULL,
    -- Of the comment it came with, which may be gone.
    comment_id   TEXT,
    value        BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    address_hash TEXT   NOT NULL,
    -- JSON, as answered.
    meta         TEXT
);
CREATE INDEX question_result_by_date ON question_result (tenant_id, created_at, id);
-- Sums over all results of a question read nothing but this.
CREATE INDEX question_result_by_page ON question_result (tenant_id, question_id, url_id, value, created_at);
CREATE INDEX question_result_by_question ON question_result (tenant_id, question_id, created_at, id, value, url_id);
CREATE INDEX question_result_by_user ON question_result (tenant_id, user_id, created_at, id) WHERE user_id <> '';

-- Questions that are gone and whose results are not yet.
CREATE TABLE question_sweep (
    tenant_id   TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    question_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, question_id)
);

CREATE TRIGGER question_answered AFTER INSERT ON question_result BEGIN
    UPDATE question_config SET used_count = used_count + 1, last_used = max(last_used, new.created_at)
    WHERE id = new.question_id;
END;
CREATE TRIGGER question_answer_removed AFTER DELETE ON question_result BEGIN
    UPDATE question_config SET used_count = used_count - 1 WHERE id = old.question_id;
END;
CREATE TRIGGER question_answer_moved AFTER UPDATE OF question_id ON question_result
WHEN new.question_id <> old.question_id BEGIN
    UPDATE question_config SET used_count = used_count - 1 WHERE id = old.question_id;
    UPDATE question_config SET used_count = used_count + 1, last_used = max(last_used, new.created_at)
    WHERE id = new.question_id;
END;

-- Mail of a site in its own words.
CREATE TABLE email_template (
    id           TEXT   NOT NULL PRIMARY KEY,
    tenant_id    TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    template_id  TEXT   NOT NULL,
    display_name TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT,
    -- `*` is every domain.
    domain       TEXT   NOT NULL,
    source       TEXT   NOT NULL,
    -- JSON, as answered.
    translations TEXT   NOT NULL,
    test_data    TEXT   NOT NULL,
    UNIQUE (tenant_id, template_id, domain)
);
CREATE INDEX email_template_by_date ON email_template (tenant_id, created_at, id);

CREATE TABLE email_template_error (
    id               TEXT   NOT NULL PRIMARY KEY,
    tenant_id        TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    email_template   TEXT   NOT NULL REFERENCES email_template (id) ON DELETE CASCADE,
    error            TEXT   NOT NULL,
    occurred_count   BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    last_occurred_at BIGINT NOT NULL,
    UNIQUE (email_template, error)
);
