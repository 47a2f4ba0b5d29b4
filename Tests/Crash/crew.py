"""What the scripts beside this file share."""
import sys, threading
from server import Fault, wait_until


class Crew:
    """Writers that run until they are told to stop, or the server is gone."""

    def __init__(self, writers):
        self.writers, self.faults, self.isOver = writers, [], False
        self.threads = [threading.Thread(target=self.write, args=(writer,)) for writer in writers]
        for thread in self.threads:
            thread.start()

    def write(self, writer):
        try:
            writer.run(lambda: self.isOver)
        except Exception as fault:
            self.faults.append(fault if isinstance(fault, Fault) else Fault(f"{writer.name}: {fault!r}"))

    @property
    def acknowledged(self):
        if self.faults:
            raise self.faults[0]
        return sum(writer.acknowledged for writer in self.writers)

    def wait(self, count):
        goal = self.acknowledged + count
        wait_until(f"{count} changes are acknowledged", lambda: self.acknowledged >= goal, 20)

    def end(self):
        self.isOver = True
        for thread in self.threads:
            thread.join()
        if self.faults:
            raise self.faults[0]


class kept:
    """Removes the folder, unless there was a fault."""

    def __init__(self, site):
        self.site = site

    def __enter__(self):
        return self.site

    def __exit__(self, kind, fault, _):
        if kind is None:
            self.site.remove()
        elif self.site.process and self.site.process.poll() is None:
            self.site.kill()
        if isinstance(fault, Fault):
            print(f"\nFAULT: {fault}\nThe folder is kept: {self.site.folder}")
            sys.exit(1)
