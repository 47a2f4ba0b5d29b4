import CSQLite

/// Told of each row that its connection adds, changes or deletes, by triggers too, and before anybody knows whether it
/// will be committed. Not of rows of tables without row ids, nor of what `DELETE` without `WHERE` deletes
/// (https://sqlite.org/c3ref/update_hook.html). It must not use the connection.
package protocol RowObserver: AnyObject {
    /// - Parameter table: its name, for as long as the call lasts.
    func rowChanged(table: UnsafePointer<CChar>, isNew: Bool, id: Int64)
}

extension Connection {
    /// Calls `observer` on the connection's thread from now on; nil ends it.
    package func observeRows(_ observer: (any RowObserver)?) {
        handle.rowObserver = observer
        guard observer != nil else {
            sqlite3_update_hook(handle.pointer, nil, nil)
            return
        }
        sqlite3_update_hook(
            handle.pointer,
            { context, operation, _, table, id in
                guard let context, let table else { return }
                let handle = Unmanaged<Handle>.fromOpaque(context).takeUnretainedValue()
                handle.rowObserver?.rowChanged(table: table, isNew: operation == SQLITE_INSERT, id: id)
            }, Unmanaged.passUnretained(handle).toOpaque())
    }
}
