// The storage of a window's page: local storage and every database, for tests that search it for secrets.

/** Local storage and every database of the page, as one text. */
export const DUMP_STORAGE = `(async () => {
  const parts = [JSON.stringify(Object.entries(localStorage))];
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const rows = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([done(rows.getAllKeys()), done(rows.getAll())]);
      const texts = values.map((value) => value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value));
      parts.push(name, store, JSON.stringify(keys), texts.join('\\n'));
    }
    database.close();
  }
  return parts.join('\\n');
})()`;
