/// What only moderators learn of an author, and what they do about somebody rather than a comment.
const person = {
    data: null,

    get id() { return this.data.userId ?? this.data.anonUserId; },

    async open(data) {
        this.data = data;
        const [{ profile }, { badges: all }, { badges: held }, trust] = await Promise.all([
            api('GET', 'get-user-internal-profile', { commentId: data._id }),
            api('GET', 'get-manual-badges'),
            this.id ? api('GET', 'get-manual-badges-for-user', { badgesUserId: this.id }) : { badges: [] },
            this.id ? api('GET', 'get-trust-factor', { userId: this.id }) : null,
        ]);
        $('person-title').textContent = profile.displayName || profile.username || profile.commenterName || 'Somebody';
        this.renderFacts(profile);
        this.renderTrust(trust);
        this.renderBadges(all, held);
        $('theirs').hidden = !this.id;
        $('neighbours').hidden = !profile.ipHash;
        this.error.hidden = true;
        $('person').showModal();
    },

    get error() { return $('person').querySelector('.error'); },

    renderFacts(profile) {
        const date = text => text && new Date(text).toLocaleDateString('en', { dateStyle: 'medium' });
        const facts = [
            ['Name', profile.commenterName], ['Username', profile.username],
            ['E-mail', profile.email ?? profile.commenterEmail], ['Site', profile.websiteUrl],
            ['First comment', date(profile.firstCommentDate)], ['Votes', profile.karma],
            ['Language', profile.locale], ['Verified', profile.verified ? 'yes' : 'no'],
            ['Id', profile.userId ?? profile.anonUserId],
        ].filter(([, value]) => value != null && value !== '');
        $('person').querySelector('dl').replaceChildren(
            ...facts.flatMap(([name, value]) => [element('dt', name), element('dd', value)]));
    },

    renderTrust(trust) {
        $('trust').hidden = !trust;
        if (!trust) return;
        $('trust-value').value = trust.manualTrustFactor ?? '';
        $('trust-state').textContent = trust.autoTrustFactor == null
            ? 'Empty leaves it to what they write.'
            : `Empty leaves it to what they write, which gives ${trust.autoTrustFactor}.`;
    },

    renderBadges(all, held) {
        const own = new Set(held.map(badge => badge.badgeId));
        $('badges').hidden = !all.length;
        $('badges').querySelector('ul').replaceChildren(...all.map(badge => {
            const item = document.createElement('li');
            const box = Object.assign(document.createElement('input'), {
                type: 'checkbox', checked: own.has(badge._id),
            });
            const label = element('label', '', 'check');
            label.append(box, ' ', badge.displayLabel || badge.name);
            box.onchange = () => attempt(box, this.error, async () => {
                const query = { badgeId: badge._id, userId: this.id, commentId: this.data._id };
                try {
                    await change('PUT', box.checked ? 'award-badge' : 'remove-badge', query);
                } catch (problem) {
                    box.checked = !box.checked;
                    throw problem;
                }
                say(box.checked ? 'Badge given' : 'Badge taken');
                await refresh([...cards.values()].filter(card => card.data.userId === this.data.userId)
                    .map(card => card.id));
            });
            item.append(label);
            return item;
        }));
    },

    async setTrust() {
        const trustFactor = $('trust-value').value.trim();
        const before = await api('PUT', 'set-trust-factor', { userId: this.id, trustFactor });
        const [{ id }, name] = [this, $('person-title').textContent];
        undo.remember(`Set the trust of ${name}`, [], () =>
            api('PUT', 'set-trust-factor', { userId: id, trustFactor: before.previousManualTrustFactor ?? '' }));
        this.renderTrust(await api('GET', 'get-trust-factor', { userId: this.id }));
        say('Trust set');
    },

    start() {
        $('trust').onsubmit = event => {
            event.preventDefault();
            attempt($('trust').querySelector('button'), this.error, () => this.setTrust());
        };
        $('theirs').onclick = () => {
            $('person').close();
            queue.go({ filter: 'all', words: '', from: null, narrow: JSON.stringify({ userId: this.id }) });
        };
        $('neighbours').onclick = () => {
            $('person').close();
            queue.go({ filter: 'all', words: '', narrow: null, from: this.data._id });
        };
    },
};
