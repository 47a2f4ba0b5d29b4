/// How readers feel about the page as a whole. Nobody has to say a name for it.
const reactions = {
    kinds: [['love', '❤️', 'Love'], ['laugh', '😄', 'Funny'], ['wow', '😮', 'Surprising'], ['doubt', '😕', 'Doubtful']],
    counts: {},
    own: new Set(),

    async load() {
        const { counts = {}, reactedIds = [] } = await call('GET', at('/page-reacts/v2'), { urlId: page, sso: signOn(me) });
        this.counts = counts;
        this.own = new Set(reactedIds);
        this.render();
    },

    /// The totals that others changed.
    take(changes) {
        Object.assign(this.counts, changes);
        this.render();
    },

    async toggle(id) {
        const isOn = this.own.has(id);
        const { code } = await write(isOn ? 'DELETE' : 'POST', at('/page-reacts/v2'), null, { id, title: document.title });
        if (isOn) this.own.delete(id);
        else this.own.add(id);
        if (!code) this.counts[id] = Math.max(0, (this.counts[id] ?? 0) + (isOn ? -1 : 1));
        this.render();
    },

    render() {
        for (const [id, , name] of this.kinds) {
            const button = $('reactions').querySelector(`[data-id=${id}]`);
            const count = this.counts[id] ?? 0;
            button.setAttribute('aria-pressed', this.own.has(id));
            button.setAttribute('aria-label', `${name}, ${count} so far`);
            button.lastElementChild.textContent = count || '';
        }
    },

    start() {
        $('reactions').replaceChildren(...this.kinds.map(([id, sign]) => {
            const button = copyOf('reaction');
            button.dataset.id = id;
            button.firstElementChild.textContent = sign;
            button.onclick = () => attempt(button, $('reaction-error'), () => this.toggle(id));
            return button;
        }));
        this.render();
    },
};
