/// Keyboard shortcuts. They do nothing while something is typed or a dialog is open.
const keys = {
    current: null,                  // id of the comment that had the focus last
    turn: Promise.resolve(),        // what was pressed before is done first

    /// What each does, and what the help says of it; the last one is for whatever is listed.
    table: {
        j: ['Next comment', () => keys.move(1)],
        k: ['Previous comment', () => keys.move(-1)],
        a: ['Approve', card => decide(card, card.data.isSpam ? 'ham' : 'approve')],
        h: ['Hide', card => decide(card, 'hide')],
        s: ['Spam, or not spam', card => decide(card, card.meaning('spamming'))],
        r: ['Reviewed, or not', card => decide(card, card.meaning('reviewing'))],
        d: ['Remove', card => decide(card, 'remove')],
        b: ['Ban the author', card => ban.open([card.data])],
        e: ['Edit', card => card.toggle('edit')],
        c: ['Context', card => card.toggle('context')],
        l: ['History', card => card.toggle('history')],
        p: ['About the author', card => person.open(card.data)],
        x: ['Select', card => card.pick.click()],
        z: ['Restore, or lift the ban', row => row.bringBack(), true],
        u: ['Undo the last decision', () => keys.after(() => undo.run())],
        n: ['Show what is new', () => $('arrivals').hidden || $('arrivals').click()],
        '/': ['Search', () => $('words').focus()],
        '?': ['This help', () => $('keys').showModal()],
    },

    card() { return cards.get(this.current) ?? null; },

    move(step) {
        const list = [...$('queue').children];
        const place = list.indexOf(this.card()?.li);
        const next = place < 0 ? list[step > 0 ? 0 : list.length - 1] : list[place + step];
        if (next) return cards.get(next.dataset.id).show();
        if (step > 0 && !$('more').hidden) $('more').focus();
    },

    pressed(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
        if (event.target.closest('textarea, select, input:not([type=checkbox])') || document.querySelector('dialog[open]')) {
            return;
        }
        const [, run, isForAll] = this.table[event.key] ?? [];
        if (!run) return;
        event.preventDefault();
        if (!run.length) return run();
        const card = this.card();
        if (!card) return this.move(1);
        if (!card.article.contains(document.activeElement)) card.show();
        this.after(() => attempt(card.article, card.error, async () => (isForAll || card.isOpen) && run(card)));
    },

    after(work) { this.turn = this.turn.then(work); },

    start() {
        $('key-list').replaceChildren(...Object.entries(this.table).flatMap(([key, [text]]) => {
            const name = document.createElement('dt');
            name.append(element('kbd', key));
            return [name, element('dd', text)];
        }));
        $('keys-button').onclick = () => $('keys').showModal();
        addEventListener('keydown', event => this.pressed(event));
    },
};
