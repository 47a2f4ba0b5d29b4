/// Hears that comments came, changed or went, whoever did it, and reads them again.
const watch = {
    changed: new Set(),
    isWhole: false,                 // everything that is shown may have changed
    timer: 0,
    isFirst: true,

    heard({ type, broadcastId, commentIds }) {
        if (type !== 'moderation' || sent.has(broadcastId)) return;
        if (!commentIds.length) this.isWhole = true;
        commentIds.forEach(id => this.changed.add(id));
        this.wake();
    },

    /// Several causes in one go.
    wake() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.catchUp().catch(() => {}), 100);
    },

    async catchUp() {
        const changed = new Set(this.changed);
        const known = this.isWhole ? [...cards.keys()] : [...changed].filter(id => cards.has(id));
        const others = [...changed].filter(id => !cards.has(id));
        const looks = this.isWhole || (view.filter !== 'bans' && others.length > 0);
        this.changed.clear();
        this.isWhole = false;
        await refresh(known);
        if (looks) await queue.look(new Set(others));
        queue.recount();
    },

    show(text) {
        if ($('live').textContent !== text) $('live').textContent = text;
        $('live').dataset.live = text === 'Live' ? 'yes' : 'no';
    },

    start() {
        new Line('/auth/my-account/moderate-comments/live?tenantId=' + encodeURIComponent(tenant), {
            opened: () => {
                this.show('Live');
                if (!this.isFirst) {
                    this.isWhole = true;
                    this.wake();
                }
                this.isFirst = false;
            },
            heard: event => this.heard(event),
            // Whether the session ended is what an ordinary call tells.
            lost: () => {
                this.show('Reconnecting…');
                queue.recount();
            },
        });
    },
};
