function renderFrame() {
    $('count').textContent = `${total} ${total === 1 ? 'comment' : 'comments'}`;
    $('note').hidden = roots.list.hasChildNodes();
    $('note').textContent = 'Nothing here yet. Say the first word.';
    $('sort').hidden = total < 2;
    $('composer').hidden = isClosed;
    $('closed').hidden = !isClosed;
    composer.hint.firstElementChild.textContent = me ? `Writing as ${me.username}. ` : 'You will be asked for a name.';
    composer.hint.lastElementChild.hidden = !me;
}

const roots = new Branch($('roots'), $('more'), null);
const composer = makeForm({
    label: 'Your comment', button: 'Post',
    send: async text => {
        if (!me && !await ask($('who'))) return;
        await post(text);
        composer.area.value = '';
    },
});
composer.hint.append(document.createElement('bdi'), document.createElement('button'));
Object.assign(composer.hint.lastElementChild, {
    type: 'button', className: 'link', textContent: 'Change', hidden: true, onclick: () => ask($('who')),
});
$('composer').append(composer);

$('who').firstElementChild.onsubmit = event => {
    event.preventDefault();
    const { username, email } = event.target.elements;
    const person = { username: username.value.trim(), email: email.value.trim() };
    attempt(event.submitter, $('who').querySelector('.error'), async () => {
        await load(person);
        remember(person);
        $('who').close('yes');
    });
};
$('forget').onclick = () => attempt($('forget'), $('who').querySelector('.error'), async () => {
    remember(null);
    await load(null);
    $('who').close();
});
$('sure').firstElementChild.onsubmit = event => {
    event.preventDefault();
    $('sure').close('yes');
};
for (const button of document.querySelectorAll('[data-cancel]')) {
    button.onclick = () => button.closest('dialog').close();
}
for (const button of document.querySelectorAll('[data-copy]')) {
    button.onclick = async () => {
        const line = $(button.dataset.copy);
        getSelection().selectAllChildren(line);
        // Pages without TLS have no clipboard object, except on the machine itself.
        try { await navigator.clipboard.writeText(line.textContent); } catch { document.execCommand('copy'); }
        button.textContent = 'Copied';
        say('Copied');
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    };
}
$('sort').onchange = ({ target }) => {
    order = target.value;
    load().catch(problem => Object.assign($('note'), { textContent: problem.message, hidden: false }));
};
setInterval(() => {
    items.forEach(item => item.renderTime());
    feed.posts.forEach(li => feed.render(li));
}, 30000);

const there = `${location.origin}${thread}?urlId=${encodeURIComponent(page).replaceAll("'", '%27')}`;
const words = { comment: 'Hello from a terminal', commenterName: 'Terminal', commenterEmail: 'terminal@example.com' };
document.title = `${page} · Parley`;
$('address').textContent = location.origin;
$('tenant').textContent = tenant;
$('page').textContent = $('name').textContent = page;
$('post-line').textContent = `curl '${there}' -H 'Content-Type: application/json' -d '${JSON.stringify(words)}'`;
$('read-line').textContent = `curl '${there}&direction=NF'`;
$('terminal').open = matchMedia('(min-width: 60rem)').matches;

for (const part of [reactions, people, bell, feed]) part.start();

(async function start() {
    try {
        if (!tenant) return $('note').textContent = 'There is no tenant yet. Make one: parley tenant create demo';
        await load();
    } catch (problem) {
        if (problem.status === 401 && me) return me = null, start();
        showState('Not connected');
        $('note').textContent = problem.message;
        if (!(problem.status < 500)) setTimeout(start, 3000);
    }
})();
