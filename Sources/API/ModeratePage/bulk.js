/// Decisions about many comments: one call after another, which can be stopped, each with its own result.
const bulk = {
    whole: null,                    // ids of everything that was found, when all of it is selected
    isRunning: false,
    isStopped: false,

    selected() { return [...cards.values()].filter(card => card.pick.checked).map(card => card.id); },
    ids() { return this.whole ?? this.selected(); },

    render() {
        const selected = this.selected();
        const choices = [...cards.values()].filter(card => !card.pick.disabled);
        if (this.whole && selected.length < choices.length) this.whole = null;
        $('all').checked = choices.length > 0 && selected.length === choices.length;
        $('all').indeterminate = selected.length > 0 && !$('all').checked;
        $('all').disabled = !choices.length;
        $('whole').hidden = !$('all').checked || !queue.hasMore || Boolean(this.whole);
        $('whole').textContent = `Select all ${$('count').textContent}`;
        const { length } = this.ids();
        if (this.isRunning) return;
        $('bulk').hidden = !length;
        $('bulk-acts').hidden = false;
        $('bulk-progress').hidden = $('stop').hidden = true;
        $('bulk-state').textContent = `${many(length, 'comment')} selected`;
    },

    choose(isChosen) {
        this.whole = null;
        for (const card of cards.values()) card.pick.checked = isChosen && !card.pick.disabled;
        this.render();
    },

    async chooseWhole() {
        const ids = [];
        let answer;
        do {
            const { sorts, ...query } = queue.query();
            answer = await api('GET', 'api/ids', { ...query, afterId: ids.at(-1) });
            ids.push(...answer.ids);
        } while (answer.hasMore && ids.length < 20000);
        this.whole = ids;
        this.render();
    },

    async run(name, ids) {
        const { done } = decisions[name];
        const before = await fetched(ids);
        const finished = [];
        await this.each(ids, done, async id => {
            if (!before.has(id)) throw new Error('The comment is not there any more.');
            await decisions[name].run(id, before.get(id));
            finished.push(id);
        });
        if (!finished.length) return;
        undo.remember(`${done} ${many(finished.length, 'comment')}`, finished, () =>
            this.each(finished, 'Taken back', id => takeBack(name, before.get(id))));
    },

    /// Does something about each of the comments; failures stand on their cards and are counted.
    async each(ids, word, work) {
        let failed = 0;
        let count = 0;
        this.isStopped = false;
        this.begin(ids.length);
        for (const id of ids) {
            if (this.isStopped) break;
            const card = cards.get(id);
            try {
                await work(id);
                if (card) card.error.hidden = true;
            } catch (problem) {
                if (problem.code === 'not-logged-in') this.isStopped = true;
                failed++;
                if (card) Object.assign(card.error, { textContent: problem.message, hidden: false });
            }
            count++;
            $('bulk-progress').value = count;
            $('bulk-state').textContent = `${count} of ${ids.length}`;
        }
        await refresh(ids).catch(() => {});
        this.end();
        const failures = failed ? `, ${failed} could not be` : '';
        const rest = count < ids.length ? `, ${ids.length - count} left out` : '';
        const sentence = `${word}: ${many(count - failed, 'comment')}${failures}${rest}`;
        $('bulk-state').textContent = sentence;
        say(sentence);
        queue.recount();
    },

    begin(total) {
        this.isRunning = true;
        $('bulk').hidden = false;
        $('bulk-acts').hidden = true;
        $('bulk-progress').hidden = $('stop').hidden = false;
        Object.assign($('bulk-progress'), { max: total, value: 0 });
        $('stop').focus();
    },

    end() {
        const hadFocus = $('bulk').contains(document.activeElement);
        this.isRunning = false;
        this.whole = null;
        for (const card of cards.values()) {
            if (card.error.hidden) card.pick.checked = false;
        }
        this.render();
        if (hadFocus && $('bulk').hidden) $('title').focus({ preventScroll: true });
    },

    start() {
        $('all').onchange = ({ target }) => this.choose(target.checked);
        $('whole').onclick = () => attempt($('whole'), $('list-error'), () => this.chooseWhole());
        $('unselect').onclick = () => {
            this.choose(false);
            $('title').focus({ preventScroll: true });
        };
        $('stop').onclick = () => { this.isStopped = true; };
        for (const button of document.querySelectorAll('[data-bulk]')) {
            button.onclick = () => attempt(button, $('list-error'), async () => {
                const ids = this.ids();
                if (button.dataset.bulk !== 'ban') return this.run(button.dataset.bulk, ids);
                await ban.open([...(await fetched(ids)).values()]);
            });
        }
    },
};
