/// The search and what it offers while one types.
const search = {
    timer: 0,
    asked: 0,

    async suggest() {
        const text = $('words').value.trim();
        const turn = ++this.asked;
        if (queue.beside || text.length < 2 || text.includes(':')) return $('suggestions').replaceChildren();
        const { pages, users } = await api('GET', 'search/suggest', { 'text-search': text });
        if (turn !== this.asked) return;
        const quoted = (word, value) => `${word}:"${value.replaceAll('"', '')}"`;
        $('suggestions').replaceChildren(
            ...users.map(user => this.option(quoted('user', user.displayName || user.username), 'Author')),
            ...pages.map(page => this.option(quoted('page', page.title || page.url), many(page.commentCount, 'comment'))));
    },

    option(value, label) { return Object.assign(document.createElement('option'), { value, label: `${value} ${label}` }); },

    start() {
        $('words').oninput = () => {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.suggest().catch(() => {}), 200);
        };
        $('search').onsubmit = event => {
            event.preventDefault();
            const words = $('words').value.trim();
            queue.go({ words, filter: words && !view.words && !queue.beside ? 'all' : view.filter });
        };
    },
};
