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
    'removed': ['Removed', data => data.isDeleted],
    'bans': ['Bans', () => true],
};
const counted = ['needs-review', 'needs-approval', 'flagged', 'spam', 'all'];

/// Whether a comment is still one of those looked through, by its state.
function belongs(data) {
    return view.filter.split(',').every(kind => kinds[kind]?.[1](data) ?? true);
}

const queue = {
    next: null,                     // where the next part begins, of what is not asked for by numbers of pages
    loads: 0,                       // a slower answer to an earlier question is dropped
    hasMore: false,
    waiting: [],                    // new comments that are announced and not shown yet

    /// What is looked through instead of comments that are there.
    get beside() { return views[view.filter] ?? null; },

    query() {
        return {
            filters: view.filter, 'text-search': view.words || null, byIPFromComment: view.from,
            searchFilters: view.narrow, sorts: view.order,
        };
    },

    readAddress() {
        const query = new URLSearchParams(location.search);
        const wanted = (query.get('filter') ?? query.get('filters') ?? 'needs-review').split(',')
            .filter(kind => Object.hasOwn(kinds, kind));
        view.filter = wanted.find(kind => Object.hasOwn(views, kind)) ?? (wanted.join(',') || 'all');
        view.words = query.get('text-search') ?? '';
        view.from = query.get('byIPFromComment') || null;
        view.narrow = query.get('searchFilters') || null;
        view.order = query.get('sorts') === 'oldest' ? 'oldest' : 'newest';
        if (this.beside) Object.assign(view, { from: null, narrow: null, order: 'newest' });
        if (view.filter === 'removed') view.words = '';
    },

    /// The page's own address with other values.
    address(values) {
        const wanted = { ...view, ...values };
        const isBeside = Object.hasOwn(views, wanted.filter);
        if (isBeside) Object.assign(wanted, { from: null, narrow: null, order: 'newest' });
        if (isBeside !== Boolean(this.beside) || wanted.filter === 'removed') wanted.words = values.words ?? '';
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

    /// One part of the list.
    async part(page, after) {
        if (this.beside) return this.beside.read(after);
        const { comments } = await api('GET', 'api/comments', { ...this.query(), count: pageSize, page });
        return { entries: comments, next: null, isFull: comments.length === pageSize };
    },

    noteEnd({ next, isFull }) {
        this.next = next;
        this.hasMore = isFull ?? Boolean(next);
    },

    async load() {
        const turn = ++this.loads;
        this.renderFrame();
        $('list-error').hidden = true;
        $('note').textContent = 'Loading…';
        $('note').hidden = false;
        try {
            const part = await this.part(1, null);
            if (turn !== this.loads) return;
            cards.clear();
            $('queue').replaceChildren();
            this.waiting = [];
            this.noteEnd(part);
            for (const entry of part.entries) this.append(entry);
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
        if (this.beside && !view.words) return this.beside.nothing;
        if (view.words) return `Nothing was found for “${view.words}”${place}.`;
        return view.narrow || view.from ? `There are no such comments${place}.` : 'Nothing to decide here.';
    },

    make(data) {
        const row = this.beside?.make(data) ?? new Card(data);
        cards.set(data._id, row);
        return row;
    },

    append(data) { $('queue').append(this.make(data).li); },

    /// Comments leave the list as they are decided about: the next ones stand behind those shown that are still in it.
    async more() {
        const turn = this.loads;
        let page = Math.floor([...cards.values()].filter(card => card.isOpen && belongs(card.data)).length / pageSize);
        let fresh = [];
        do {
            page++;
            const part = await this.part(page, this.next);
            if (turn !== this.loads) return;
            fresh = part.entries.filter(entry => !cards.has(entry._id));
            this.noteEnd(part);
        } while (!fresh.length && this.hasMore);
        for (const comment of fresh) this.append(comment);
        this.render();
        bulk.render();
        if (fresh.length) cards.get(fresh[0]._id).article.focus({ preventScroll: true });
        say(`${fresh.length} more shown`);
    },

    /// Looks for comments that are not shown yet: those named, and those newer than what is.
    async look(ids) {
        const turn = this.loads;
        if (view.order === 'oldest') return this.recount();
        const part = await this.part(1, null);
        if (turn !== this.loads) return;
        this.beside?.met(part);
        const newest = [...cards.values()].reduce((latest, { place }) => place > latest ? place : latest, '');
        const news = part.entries.filter(data =>
            !cards.has(data._id) && (ids.has(data._id) || placeOf(data) > newest));
        if (!cards.size) this.noteEnd(part);
        this.waiting = news;
        const isBusy = $('queue').matches(':hover') || $('queue').contains(document.activeElement)
            || bulk.selected().length || scrollY > 200;
        if (!isBusy) this.showWaiting();
        else if (news.length) say(many(news.length, this.noun));
        this.render();
    },

    showWaiting() {
        for (const data of this.waiting.splice(0).reverse()) {
            if (cards.has(data._id)) continue;
            const next = [...$('queue').children].find(li => cards.get(li.dataset.id).place <= placeOf(data));
            const { li } = this.make(data);
            $('queue').insertBefore(li, next ?? null);
            li.classList.add('new');
            say(this.beside?.news(data) ?? `New comment by ${nameOf(data)}`);
        }
        this.render();
        bulk.render();
    },

    get noun() { return this.beside?.noun ?? 'new comment'; },

    render() {
        $('note').hidden = cards.size > 0 || !$('note').textContent;
        $('more').hidden = !this.hasMore;
        $('arrivals').hidden = !this.waiting.length;
        $('arrivals').textContent = `Show ${many(this.waiting.length, this.noun)}`;
    },

    renderFrame() {
        const names = view.filter.split(',').map(kind => kinds[kind][0]);
        $('queue-name').textContent = names.join(', ');
        document.title = `${names.join(', ')} · Moderation · Parley`;
        document.body.dataset.view = this.beside ? view.filter : 'comments';
        $('hint').textContent = this.beside?.hint ?? '';
        $('queue').setAttribute('aria-label', this.beside ? names[0] : 'Comments');
        $('words').placeholder = this.beside?.search ?? this.placeholder;
        $('words').labels[0].textContent = view.filter === 'bans' ? 'Search bans' : 'Search comments';
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
        $('count').textContent = await (this.beside ?? this).countShown();
        for (const kind of counted) {
            const { count } = await api('GET', 'count', { filter: kind });
            $('queues').querySelector(`[data-kind=${kind}] b`).textContent = count.toLocaleString('en');
        }
        const { totalCount } = await api('GET', 'banned-users', { count: 1 });
        $('queues').querySelector('[data-kind=bans] b').textContent = totalCount.toLocaleString('en');
        this.reveal();
        this.isRevealed = true;
    },

    async countShown() {
        const { count } = await api('GET', 'count', { ...this.query(), filters: null, filter: view.filter });
        return count.toLocaleString('en');
    },

    start() {
        this.placeholder = $('words').placeholder;
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
