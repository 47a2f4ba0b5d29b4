for (const button of document.querySelectorAll('[data-cancel]')) {
    button.onclick = () => button.closest('dialog').close();
}
// A session that ended cannot be waved away.
$('ended').oncancel = event => event.preventDefault();
$('hush').onclick = () => {
    hush();
    (keys.card()?.article ?? $('title')).focus({ preventScroll: true });
};
setInterval(() => {
    for (const row of cards.values()) row.tick();
}, 30000);

for (const part of [queue, undo, bulk, ban, person, search, keys]) part.start();
queue.readAddress();
queue.load();
watch.start();
