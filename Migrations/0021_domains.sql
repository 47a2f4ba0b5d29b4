-- What a site says of each of its domains. The list itself stays tenant.domains, which decides whose pages may call: for
-- each of its entries triggers keep a row here, whoever changes the list.
CREATE TABLE domain_config (
    -- Order of the list.
    seq                       INTEGER PRIMARY KEY AUTOINCREMENT,
    id                        TEXT    NOT NULL UNIQUE,
    tenant_id                 TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- In lower case.
    domain                    TEXT    NOT NULL,
    created_at                BIGINT  NOT NULL,
    email_from_name           TEXT,
    email_from_email          TEXT,
    -- JSON object of texts.
    email_headers             TEXT,
    logo_src                  TEXT,
    small_logo_src            TEXT,
    footer_unsubscribe_url    TEXT,
    disable_unsubscribe_links INTEGER,
    -- JSON object of texts; no private key.
    dkim                      TEXT,
    UNIQUE (tenant_id, domain)
);
INSERT INTO domain_config (id, tenant_id, domain, created_at)
SELECT lower(hex(randomblob(12))), t.id, lower(d.value), t.created_at FROM tenant AS t, json_each(t.domains) AS d
WHERE true
ON CONFLICT (tenant_id, domain) DO NOTHING;

CREATE TRIGGER tenant_domains_given AFTER INSERT ON tenant BEGIN
    INSERT INTO domain_config (id, tenant_id, domain, created_at)
    SELECT lower(hex(randomblob(12))), new.id, lower(value), new.created_at FROM json_each(new.domains) WHERE true
    ON CONFLICT (tenant_id, domain) DO NOTHING;
END;
CREATE TRIGGER tenant_domains_changed AFTER UPDATE OF domains ON tenant WHEN new.domains IS NOT old.domains BEGIN
    DELETE FROM domain_config
    WHERE tenant_id = new.id AND domain NOT IN (SELECT lower(value) FROM json_each(new.domains));
    INSERT INTO domain_config (id, tenant_id, domain, created_at)
    SELECT lower(hex(randomblob(12))), new.id, lower(value), unixepoch() * 1000 FROM json_each(new.domains) WHERE true
    ON CONFLICT (tenant_id, domain) DO NOTHING;
END;

-- What happened on each day (UTC), as whole days since 1970. What comes back from the trash was counted when it came.
CREATE TABLE daily_usage (
    tenant_id     TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    day           BIGINT NOT NULL,
    comments      BIGINT NOT NULL DEFAULT 0,
    conversations BIGINT NOT NULL DEFAULT 0,
    votes         BIGINT NOT NULL DEFAULT 0,
    accounts      BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, day)
);
INSERT INTO daily_usage (tenant_id, day, comments, conversations)
SELECT tenant_id, created_at / 86400000, COUNT(*), SUM(parent_id IS NULL) FROM comment GROUP BY 1, 2;
INSERT INTO daily_usage (tenant_id, day, votes)
SELECT tenant_id, created_at / 86400000, COUNT(*) FROM vote GROUP BY 1, 2
ON CONFLICT (tenant_id, day) DO UPDATE SET votes = excluded.votes;
INSERT INTO daily_usage (tenant_id, day, accounts)
SELECT tenant_id, created_at / 86400000, COUNT(*) FROM person GROUP BY 1, 2
ON CONFLICT (tenant_id, day) DO UPDATE SET accounts = excluded.accounts;

CREATE TRIGGER usage_of_comments AFTER INSERT ON comment
WHEN NOT EXISTS (SELECT 1 FROM trash WHERE seq = new.seq) BEGIN
    INSERT INTO daily_usage (tenant_id, day, comments, conversations)
    VALUES (new.tenant_id, new.created_at / 86400000, 1, new.parent_id IS NULL)
    ON CONFLICT (tenant_id, day) DO UPDATE
    SET comments = comments + 1, conversations = conversations + excluded.conversations;
END;
CREATE TRIGGER usage_of_votes AFTER INSERT ON vote
WHEN NOT EXISTS (SELECT 1 FROM trash WHERE seq = new.comment_seq) BEGIN
    INSERT INTO daily_usage (tenant_id, day, votes) VALUES (new.tenant_id, new.created_at / 86400000, 1)
    ON CONFLICT (tenant_id, day) DO UPDATE SET votes = votes + 1;
END;
CREATE TRIGGER usage_of_people AFTER INSERT ON person BEGIN
    INSERT INTO daily_usage (tenant_id, day, accounts) VALUES (new.tenant_id, new.created_at / 86400000, 1)
    ON CONFLICT (tenant_id, day) DO UPDATE SET accounts = accounts + 1;
END;
