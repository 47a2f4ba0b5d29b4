/// Bans the authors of comments. What a ban would take along is told before.
const ban = {
    targets: [],
    asked: 0,
    means: {
        userId: 'account', email: 'e-mail address', 'email-wildcard': 'domain of the e-mail address',
        IP: 'network address',
    },

    kind: known => known.banType === 'perma-shadow' ? 'Banned unnoticed' : 'Banned',
    end: known => known.bannedUntil
        ? 'until ' + new Date(known.bannedUntil).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
        : 'for ever',
    lift: id => api('POST', 'ban-user/undo', {}, { changelog: { createdBannedUserId: id } }),

    get form() { return $('ban').firstElementChild; },
    get fields() { return this.form.elements; },

    async open(targets) {
        targets = targets.filter(data => !data.isByAdmin && !data.isByModerator);
        if (!targets.length) throw new Error('Administrators and moderators cannot be banned.');
        this.targets = targets;
        const isOne = targets.length === 1;
        const [{ preferences }, status, { bannedUsers }] = await Promise.all([
            api('GET', 'user-ban-preference'),
            isOne ? api('GET', `get-comment-ban-status/${targets[0]._id}`) : { emailDomain: null, canIPBan: true },
            isOne ? api('GET', `ban-users/from-comment/${targets[0]._id}`) : { bannedUsers: [] },
        ]);
        this.form.reset();
        this.form.querySelector('h2 bdi').textContent =
            isOne ? nameOf(targets[0]) : `the authors of ${targets.length} comments`;
        this.fill(preferences, status);
        this.renderBans(bannedUsers);
        this.form.querySelector('.error').hidden = true;
        $('ban').showModal();
        await this.summarise();
    },

    fill(preferences, { emailDomain, canIPBan }) {
        const { banEmail, banEmailDomain, banIP, bannedUntil, isShadowBan } = this.fields;
        banEmail.checked = preferences?.shouldBanEmail ?? true;
        banEmailDomain.closest('label').hidden = !emailDomain;
        banEmailDomain.nextElementSibling.lastElementChild.textContent = emailDomain ?? '';
        banIP.disabled = !canIPBan;
        banIP.checked = canIPBan && Boolean(preferences?.shouldBanByIP);
        if (!banEmail.checked && !banIP.checked) banEmail.checked = true;
        bannedUntil.value = preferences?.lastBanDuration ?? 'one-day';
        isShadowBan.checked = preferences?.lastBanType === 'perma-shadow';
    },

    renderBans(bans) {
        $('bans').hidden = !bans.length;
        $('bans').querySelector('ul').replaceChildren(...bans.map(known => {
            const item = document.createElement('li');
            const means = known.matches.map(({ matchedOn }) => this.means[matchedOn] ?? matchedOn).join(', ');
            const button = Object.assign(element('button', 'Lift', 'plain'), { type: 'button' });
            const what = `${this.kind(known)} ${this.end(known)}`;
            item.append(element('span', `${what}, by ${means}${known.banReason ? `: ${known.banReason}` : ''} `), button);
            button.onclick = () => attempt(button, this.form.querySelector('.error'), async () => {
                await this.lift(known._id);
                item.remove();
                say('Ban lifted');
                await refresh(this.targets.map(data => data._id));
            });
            return item;
        }));
    },

    async summarise() {
        const turn = ++this.asked;
        const { banEmail, banEmailDomain, banIP } = this.fields;
        const query = {
            includeByUserIdAndEmail: banEmail.checked, includeByEmailDomain: banEmailDomain.checked,
            includeByIP: banIP.checked,
        };
        const [only] = this.targets;
        const sentence = this.targets.length === 1
            ? this.sentence(await api('GET', `pre-ban-summary/${only._id}`, query))
            : this.bulkSentence(await api('POST', 'bulk-pre-ban-summary', query, {
                commentIds: this.targets.slice(0, 1000).map(data => data._id),
            }));
        if (turn === this.asked) $('ban-summary').textContent = sentence;
    },

    sentence({ count, usernames }) {
        const names = usernames.slice(0, 5).join(', ') + (usernames.length > 5 ? ' and others' : '');
        if (!count) return 'The comment goes. Nothing else is known of its author by these means.';
        if (!this.fields.deleteAllUsersComments.checked) {
            return `The comment goes. These means find ${many(count, 'comment')} by ${names}.`;
        }
        return `${many(count, 'comment')} by ${names} will be removed. Undo lifts the ban, but does not bring these back.`;
    },

    bulkSentence({ totalRelatedCommentCount: count, userIds, emails, ipHashes }) {
        const found = [many(userIds.length, 'account'), many(emails.length, 'e-mail address', 'e-mail addresses'),
            many(ipHashes.length, 'network address', 'network addresses')].join(', ');
        return this.fields.deleteAllUsersComments.checked
            ? `${many(count, 'comment')} will be removed (${found}). Undo does not bring these back.`
            : `The selected comments go. These means find ${many(count, 'comment')} (${found}).`;
    },

    query() {
        const query = {};
        for (const name of ['banEmail', 'banEmailDomain', 'banIP', 'isShadowBan', 'deleteAllUsersComments']) {
            query[name] = this.fields[name].checked && !this.fields[name].disabled;
        }
        query.bannedUntil = this.fields.bannedUntil.value;
        query.banReason = this.fields.banReason.value.trim() || null;
        return query;
    },

    async impose() {
        const query = this.query();
        const changelogs = new Map();
        const run = async id => {
            const { changelog } = await api('POST', `ban-user/from-comment/${id}`, query);
            changelogs.set(id, changelog);
        };
        const ids = this.targets.map(data => data._id);
        const what = `Banned ${this.form.querySelector('h2 bdi').textContent}`;
        if (ids.length === 1) {
            await run(ids[0]);
            $('ban').close();
            await refresh(ids);
            say(what);
        } else {
            $('ban').close();
            await bulk.each(ids, 'Banned', run);
        }
        queue.recount();
        // The last ban of somebody first: earlier ones may have been replaced by it.
        if (changelogs.size) undo.remember(what, [...changelogs.keys()], async () => {
            for (const [id, changelog] of [...changelogs].reverse()) {
                await api('POST', 'ban-user/undo', {}, { changelog });
                await restore(id);
            }
        });
    },

    start() {
        const error = this.form.querySelector('.error');
        const button = this.form.querySelector('.danger');
        for (const box of this.form.querySelectorAll('[type=checkbox]')) {
            box.onchange = () => attempt(this.form, error, () => this.summarise());
        }
        this.form.onsubmit = event => {
            event.preventDefault();
            attempt(button, error, () => this.impose());
        };
    },
};
