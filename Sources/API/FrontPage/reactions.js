/// How readers feel about the page as a whole. Nobody has to say a name for it.
const reactions = {
    kinds: [['love', '❤️', 'Love'], ['laugh', '😄', 'Funny'], ['wow', '😮', 'Surprising'], ['doubt', '😕', 'Doubtful']],
    counts: {},
    own: new Set(),
    turn: 0,                        // what was asked before something was pressed is answered too late

    async load() {
        const turn = ++this.turn;
        const { counts = {}, reactedIds = [] } = await call('GET', at('/page-reacts/v2'), { urlId: page, sso: signOn(me) });
        if (turn !== this.turn) return;
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
        this.turn++;
        await write(this.own.has(id) ? 'DELETE' : 'POST', at('/page-reacts/v2'), null, { id, title: document.title });
        await this.load();
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
