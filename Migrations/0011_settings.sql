-- What holds on some pages of a tenant; what holds on all of them is in tenant.settings.
CREATE TABLE setting_rule (
    tenant_id TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- Host of the site, '' for any.
    domain    TEXT NOT NULL,
    -- Page ids, with * for any run of characters.
    page      TEXT NOT NULL,
    settings  TEXT NOT NULL,
    PRIMARY KEY (tenant_id, domain, page)
);

-- The newest change to the settings of each tenant. A version is never used twice, so whoever keeps settings in memory
-- knows by it whether they are still true, in this program or another. Triggers, so that no change can forget it.
CREATE TABLE settings_change (
    version   INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT    NOT NULL UNIQUE REFERENCES tenant (id) ON DELETE CASCADE
);

CREATE TRIGGER tenant_settings_given AFTER INSERT ON tenant WHEN new.settings <> '{}' BEGIN
    INSERT INTO settings_change (tenant_id) VALUES (new.id);
END;

CREATE TRIGGER tenant_settings_changed AFTER UPDATE OF settings ON tenant WHEN new.settings <> old.settings BEGIN
    DELETE FROM settings_change WHERE tenant_id = new.id;
    INSERT INTO settings_change (tenant_id) VALUES (new.id);
END;

CREATE TRIGGER setting_rule_added AFTER INSERT ON setting_rule BEGIN
    DELETE FROM settings_change WHERE tenant_id = new.tenant_id;
    INSERT INTO settings_change (tenant_id) VALUES (new.tenant_id);
END;

CREATE TRIGGER setting_rule_changed AFTER UPDATE ON setting_rule BEGIN
    DELETE FROM settings_change WHERE tenant_id = new.tenant_id;
    INSERT INTO settings_change (tenant_id) VALUES (new.tenant_id);
END;

-- Rules also go with their tenant, and then there is nobody whose settings changed.
CREATE TRIGGER setting_rule_removed AFTER DELETE ON setting_rule BEGIN
    DELETE FROM settings_change WHERE tenant_id = old.tenant_id;
    INSERT INTO settings_change (tenant_id) SELECT id FROM tenant WHERE id = old.tenant_id;
END;

-- When somebody accepted the terms of a tenant.
CREATE TABLE terms_acceptance (
    tenant_id   TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    person_id   TEXT   NOT NULL,
    accepted_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, person_id)
);

-- What was there before counts as changed.
INSERT INTO settings_change (tenant_id) SELECT id FROM tenant WHERE settings <> '{}';
