const pageSize = 50;
const kinds = {
    'needs-review': ['Needs review', data => !data.reviewed],
    'needs-approval': ['Needs approval', data => !data.approved],
    'flagged': ['Flagged', data => data.flagCount > 0],
    'spam': ['Spam', data => data.isSpam],
    'all': ['All', () => true],
    'approved': ['Approved', data => data.approved],
    'reviewed': ['Reviewed', data => data.reviewed],
    'not-spam': ['Not spam', data => !data.isSpam],
    'banned': ['Banned authors', data => data.isBannedUser],
    'locked': ['Locked', data => data.isLocked],
};
const counted = ['needs-review', 'needs-approval', 'flagged', 'spam', 'all'];

/// Whether a comment is still one of those looked through, by its state.
function belongs(data) {
    return view.filter.split(',').every(kind => kinds[kind]?.[1](data) ?? true);
}

const queue = {
    loads: 0,                       // a slower answer to an earlier question is dropped
    hasMore: false,
    waiting: [],                    // new comments that are announced and not shown yet

    query() {
        return {
            filters: view.filter, 'text-search': view.words || null, byIPFromComment: view.from,
            searchFilters: view.narrow, sorts: view.order,
        };
    },

    readAddress() {
        const query = new URLSearchParams(location.search);
        view.filter = (query.get('filter') ?? query.get('filters') ?? 'needs-review').split(',')
            .filter(kind => Object.hasOwn(kinds, kind)).join(',') || 'all';
        view.words = query.get('text-search') ?? '';
        view.from = query.get('byIPFromComment') || null;
        view.narrow = query.get('searchFilters') || null;
        view.order = query.get('sorts') === 'oldest' ? 'oldest' : 'newest';
    },

    /// The page's own address with other values.
    address(values) {
        const wanted = { ...view, ...values };
        const query = new URLSearchParams({ filter: wanted.filter });
        if (wanted.words) query.set('text-search', wanted.words);
        if (wanted.from) query.set('byIPFromComment', wanted.from);
        if (wanted.narrow) query.set('searchFilters', wanted.narrow);
        if (wanted.order === 'oldest') query.set('sorts', 'oldest');
        return '/moderate?' + query;
    },

    async go(values) {
        history.pushState(null, '', this.address(values));
        this.readAddress();
        await this.load();
        $('title').focus({ preventScroll: true });
        scrollTo(0, 0);
    },

    async load() {
        const turn = ++this.loads;
        this.renderFrame();
        $('list-error').hidden = true;
        $('note').textContent = 'Loading…';
        $('note').hidden = false;
        try {
            const { comments } = await api('GET', 'api/comments', { ...this.query(), count: pageSize, page: 1 });
            if (turn !== this.loads) return;
            cards.clear();
            $('queue').replaceChildren();
            this.waiting = [];
            this.hasMore = comments.length === pageSize;
            for (const comment of comments) this.append(comment);
            this.recount();
        } catch (problem) {
            if (turn !== this.loads) return;
            Object.assign($('list-error'), { textContent: problem.message, hidden: false });
            cards.clear();
            $('queue').replaceChildren();
            this.hasMore = false;
        }
        $('note').textContent = $('list-error').hidden ? this.nothing() : '';
        this.render();
        bulk.render();
    },

    nothing() {
        const place = view.filter === 'all' ? '' : ` in ${$('queue-name').textContent}`;
        if (view.words) return `Nothing was found for “${view.words}”${place}.`;
        return view.narrow || view.from ? `There are no such comments${place}.` : 'Nothing to decide here.';
    },

    append(data) {
        const card = new Card(data);
        cards.set(data._id, card);
        $('queue').append(card.li);
    },

    /// Comments leave the list as they are decided about: the next ones stand behind those shown that are still in it.
    async more() {
        const turn = this.loads;
        let page = Math.floor([...cards.values()].filter(card => !card.isGone && belongs(card.data)).length / pageSize);
        let fresh = [];
        do {
            page++;
            const { comments } = await api('GET', 'api/comments', { ...this.query(), count: pageSize, page });
            if (turn !== this.loads) return;
            fresh = comments.filter(comment => !cards.has(comment._id));
            this.hasMore = comments.length === pageSize;
        } while (!fresh.length && this.hasMore);
        for (const comment of fresh) this.append(comment);
        this.render();
        bulk.render();
        if (fresh.length) cards.get(fresh[0]._id).article.focus({ preventScroll: true });
        say(`${many(fresh.length, 'more comment')} shown`);
    },

    /// Looks for comments that are not shown yet: those named, and those newer than what is.
    async look(ids) {
        const turn = this.loads;
        if (view.order === 'oldest') return this.recount();
        const { comments } = await api('GET', 'api/comments', { ...this.query(), count: pageSize, page: 1 });
        if (turn !== this.loads) return;
        const newest = [...cards.values()].reduce((date, { data }) => data.date > date ? data.date : date, '');
        const news = comments.filter(({ _id, date }) => !cards.has(_id) && (ids.has(_id) || date > newest));
        if (!cards.size) this.hasMore = comments.length === pageSize;
        this.waiting = news;
        const isBusy = $('queue').matches(':hover') || $('queue').contains(document.activeElement)
            || bulk.selected().length || scrollY > 200;
        if (!isBusy) this.showWaiting();
        else if (news.length) say(`${many(news.length, 'new comment')}`);
        this.render();
    },

    showWaiting() {
        for (const data of this.waiting.splice(0).reverse()) {
            if (cards.has(data._id)) continue;
            const card = new Card(data);
            cards.set(data._id, card);
            const next = [...$('queue').children].find(li => cards.get(li.dataset.id).data.date <= data.date);
            $('queue').insertBefore(card.li, next ?? null);
            card.li.classList.add('new');
            say(`New comment by ${nameOf(data)}`);
        }
        this.render();
        bulk.render();
    },

    render() {
        $('note').hidden = cards.size > 0 || !$('note').textContent;
        $('more').hidden = !this.hasMore;
        $('arrivals').hidden = !this.waiting.length;
        $('arrivals').textContent = `Show ${many(this.waiting.length, 'new comment')}`;
    },

    renderFrame() {
        const names = view.filter.split(',').map(kind => kinds[kind][0]);
        $('queue-name').textContent = names.join(', ');
        document.title = `${names.join(', ')} · Moderation · Parley`;
        $('words').value = view.words;
        $('order').value = view.order;
        $('narrowed').hidden = !view.narrow && !view.from;
        $('narrowed').firstElementChild.textContent = view.from
            ? 'Only comments from one network address.' : 'Only comments of one author, page or site.';
        for (const link of $('queues').querySelectorAll('a')) {
            link.href = this.address({ filter: link.dataset.kind });
            if (link.dataset.kind === view.filter) link.setAttribute('aria-current', 'page');
            else link.removeAttribute('aria-current');
        }
        this.isRevealed = false;
        this.reveal();
    },

    isRevealed: false,              // where it is known how wide the queues' names are with their counts

    /// On a phone the queues stand in a row that is wider than the screen.
    reveal() {
        const row = $('queues');
        const current = row.querySelector('[aria-current]');
        if (!current || this.isRevealed) return;
        row.scrollLeft += current.getBoundingClientRect().left - row.getBoundingClientRect().left - 16;
    },

    countTimer: 0,

    /// Several causes in one go.
    recount() {
        clearTimeout(this.countTimer);
        this.countTimer = setTimeout(() => this.count().catch(() => {}), 150);
    },

    async count() {
        const { count } = await api('GET', 'count', { ...this.query(), filters: null, filter: view.filter });
        $('count').textContent = count.toLocaleString('en');
        for (const kind of counted) {
            const { count } = await api('GET', 'count', { filter: kind });
            $('queues').querySelector(`[data-kind=${kind}] b`).textContent = count.toLocaleString('en');
        }
        this.reveal();
        this.isRevealed = true;
    },

    start() {
        $('queues').replaceChildren(...Object.entries(kinds).map(([kind, [name]]) => {
            const item = document.createElement('li');
            const link = element('a', name + ' ');
            link.dataset.kind = kind;
            link.append(element('b', ''));
            link.onclick = event => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                this.go({ filter: kind });
            };
            item.append(link);
            return item;
        }));
        $('order').onchange = ({ target }) => this.go({ order: target.value });
        $('narrowed').lastElementChild.onclick = () => this.go({ narrow: null, from: null });
        $('more').onclick = () => attempt($('more'), $('list-error'), () => this.more());
        $('arrivals').onclick = () => {
            const first = this.waiting[0];
            this.showWaiting();
            cards.get(first?._id)?.show();
        };
        addEventListener('popstate', () => {
            this.readAddress();
            this.load();
        });
    },
};
