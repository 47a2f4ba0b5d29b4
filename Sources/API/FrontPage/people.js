/// Who is here.
const people = {
    timer: 0,

    /// `number` is everybody with the page open; null when that is not known.
    count(number) {
        $('here').hidden = number === null;
        $('here').textContent = number === null ? '' : `${number} here`;
        if ($('people').open) {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.load().catch(() => {}), 200);
        }
    },

    async load() {
        const [{ users, anonCount, nextAfterUserId }, gone] = await Promise.all(['online', 'offline'].map(which =>
            call('GET', at('/pages') + '/users/' + which, { urlId: page, sso: signOn(me) })));
        this.list('online', users);
        this.list('offline', gone.users);
        $('nameless').textContent = [
            nextAfterUserId && 'More people are here.',
            anonCount && `${anonCount} ${anonCount === 1 ? 'reader has' : 'readers have'} not said a name.`,
        ].filter(Boolean).join(' ');
        $('were').hidden = !gone.users.length;
    },

    list(id, users) {
        $(id).replaceChildren(...users.map(user => {
            const li = document.createElement('li');
            li.textContent = user.isPrivate ? 'Private profile' : user.displayName;
            if (me && user.id === me.id) li.textContent += ' (you)';
            return li;
        }));
    },

    start() {
        $('here').onclick = () => {
            $('people').showModal();
            attempt($('here'), $('people').querySelector('.error'), () => this.load());
        };
    },
};
