"""A method for each question: what `Repository` and `Subscriptions` inherit.

Made by `make docs-reference` from `questions/table.py`; what is written here by hand is lost. A module of questions is
imported when one of its questions is asked.
"""

# ruff: noqa: A002 - keywords are the names of fields
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, UnsetType

from birthmark.api.asking import Asking

if TYPE_CHECKING:
    from birthmark.documents.anchors import MadeAnchorsDocument
    from birthmark.documents.answers import (
        ContextDocument,
        NoteDocument,
        ResolvedDocument,
        ResolvedListDocument,
        ShownDocument,
    )
    from birthmark.documents.changes import BlameDocument, CommitMessageDocument, DiffDocument, RevisionsDocument
    from birthmark.documents.definitions import NodePage, SourceFileDocument
    from birthmark.documents.index import StatusDocument, ValidationDocument
    from birthmark.documents.listings import ClonesDocument, LatestDocument, SearchDocument, TreeDocument
    from birthmark.documents.reviews import ReviewDocument
    from birthmark.documents.scans import (
        MessageDocument,
        MessagePage,
        PastTriggerPage,
        ReportDocument,
        ScanPage,
        SubscriptionStateDocument,
    )
    from birthmark.documents.subscriptions import AppliedDocument, SubscribedDocument, SubscriptionDocument
    from birthmark.documents.uses import AffectedDocument, EdgesDocument, ImpactDocument, PathDocument, TestsDocument
    from birthmark.documents.whole_graph import (
        ComponentsDocument,
        CyclesDocument,
        HotspotsDocument,
        ModulesDocument,
        RankDocument,
        UnusedDocument,
    )

AnyPath = str | PathLike[str]


class RepositoryQuestions(Asking):
    """The questions about a repository.

    Of a list, `limit` gives at most so many results, and `offset` skips some: `next` of the page before.
    """

    def status(self, *, verbose: bool = False) -> StatusDocument:
        """Show what is indexed, how fresh the index is, what could not be read, and what to do about it.

        - `verbose`: Also read all files to count equal nodes and names, and list all problems.

        The index is not brought up to date.
        """
        return self._ask("index.Status", locals())

    def validate(self, *, against_rebuild: bool = False, strict: bool = False) -> ValidationDocument:
        """Check that the index is consistent; exit with 1 if it is not.

        - `against_rebuild`: Index the same files into an empty index and compare row by row.
        - `strict`: Count problems and pending files as findings, too.
        """
        return self._ask("index.Validate", locals())

    def nodes(self, path: AnyPath | None = None, *, limit: int | None = None, offset: int = 0) -> NodePage:
        """List the nodes of PATH, a file or a folder, or of the whole index: definitions, calls, imports and others.

        - `path`: A file or folder, relative to the root of the repository; all of it if left out.
        """
        return self._ask("listing.Nodes", locals())

    def file(self, path: str, *, at: str | None = None) -> SourceFileDocument:
        """Show a file with its text and definitions.

        - `path`: A file, relative to the root of the repository.
        - `at`: A revision.
        """
        return self._ask("listing.SourceFile", locals())

    def tree(self, *, limit: int | None = None, offset: int = 0, folder: str = "", least: int = 0) -> TreeDocument:
        """Show what a folder consists of.

        - `folder`: A folder, relative to the root; the root if left out.
        - `least`: Open folders in it until there are N entries.
        """
        return self._ask("listing.Tree", locals())

    def latest(self, *, limit: int = 200) -> LatestDocument:
        """List what happened last, by the ledger.

        - `limit`: List at most N identities.
        """
        return self._ask("listing.Latest", locals())

    def search(
        self,
        text: str,
        *,
        limit: int = 20,
        offset: int = 0,
        kinds: Iterable[str] = (),
        languages: Iterable[str] = (),
        paths: Iterable[str] = (),
        everywhere: bool = False,
    ) -> SearchDocument:
        """Find definitions by name, part of a name, former name, or words from docs or code, the best match first.

        - `limit`: List at most N results.
        - `text`: A name, a part of it, or words from docs or code.
        - `kinds`: Only entities of these kinds: fn, class, …
        - `languages`: Only entities in these languages.
        - `paths`: Only these files, folders or patterns; with `!` in front, not these.
        - `everywhere`: Ask all repositories of the database that --store names.

        Examples:
            >>> from birthmark import Repository
            >>> with Repository.open() as repository:
            ...     [result.entity.name for result in repository.search("tota").results]
            ['total']
        """
        return self._ask("definitions.Search", locals())

    def show(self, ref: str) -> ShownDocument:
        """Show one entity: its ids, where it is, and its source.

        - `ref`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.

        A definition that was deleted is shown as it was before.

        Examples:
            >>> from birthmark import Repository
            >>> with Repository.open() as repository:
            ...     print(repository.show("net").source)
            def net(price, rate=0.2):
                return price / (1 + rate)
        """
        return self._ask("definitions.Show", locals())

    def resolve(self, ref: str, *, at: str | None = None, everywhere: bool = False) -> ResolvedDocument:
        """Show where any id is now, or what became of it.

        - `ref`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        - `at`: A revision.
        - `everywhere`: Ask all repositories of the database that --store names.

        What is unknown or ambiguous is an answer, too: `status` says so, and `problem` why.

        Examples:
            >>> from birthmark import Repository
            >>> with Repository.open() as repository:
            ...     repository.resolve("src/shop.py:7", at="HEAD~1").entity.qualified_name
            ...     repository.resolve("Card").problem
            'Cart.total'
            'Card: nothing has that name; did you mean Cart? ...'
        """
        return self._ask("definitions.Resolve", locals())

    def resolve_many(
        self, refs: Iterable[str], *, at: str | None = None, everywhere: bool = False
    ) -> ResolvedListDocument:
        """Resolve many REFs at once.

        - `refs`: REFs.
        - `at`: A revision at which paths, lines and names are looked up.
        - `everywhere`: Ask all repositories of the database that --store names.
        """
        return self._ask("definitions.ResolveMany", locals())

    def anchors(self, refs: Iterable[str], *, at: str | None = None) -> MadeAnchorsDocument:
        """Make anchors of definitions or lines, to be stored in another tool's data.

        - `refs`: REFs.
        - `at`: A revision at which paths, lines and names are looked up.
        """
        return self._ask("anchors.MakeAnchors", locals())

    def context(self, ref: str, *, tokens: int = 4000, since: str | None = None) -> ContextDocument:
        """Show what to read before changing a definition, as Markdown within a budget of tokens.

        - `ref`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        - `tokens`: Maximum number of tokens.
        - `since`: Only what changed since this revision.
        """
        return self._ask("definitions.Context", locals())

    def clones(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        ref: str | None = None,
        paths: Iterable[str] = (),
        share: int = 70,
        all: bool = False,
        everywhere: bool = False,
    ) -> ClonesDocument:
        """List definitions that are nearly the same, those with most code first; with REF only those like it.

        - `ref`: Only those that are like this REF.
        - `paths`: Only in these files or folders; else in all but tests and generated files.
        - `share`: Tokens that two must share, in percent.
        - `all`: Include tests, documentation and generated code.
        - `everywhere`: Ask all repositories of the database that --store names.
        """
        return self._ask("definitions.Clones", locals())

    def diff(
        self,
        base: str | None = None,
        target: str | None = None,
        *,
        limit: int | None = None,
        offset: int = 0,
        paths: Iterable[str] = (),
        kinds: Iterable[str] = (),
        languages: Iterable[str] = (),
        changes: Iterable[str] = (),
        patch: bool = False,
        index: bool = False,
    ) -> DiffDocument:
        """Compare two states of the repository, entity by entity.

        - `base`: A revision, a date, or a range like A..B; HEAD if left out.
        - `target`: A revision; the worktree if left out.
        - `paths`: Only these files, folders or patterns; with `!` in front, not these.
        - `kinds`: Only entities of these kinds: fn, class, …
        - `languages`: Only entities in these languages.
        - `changes`: Only these changes: added, deleted, …
        - `patch`: List the lines that differ.
        - `index`: Compare the index with the worktree.

        Without revisions the worktree is compared with HEAD. No index is needed.

        Examples:
            >>> from birthmark import Repository
            >>> with Repository.open() as repository:
            ...     renamed = repository.diff("HEAD~1", "HEAD", changes=["renamed"]).changes
            >>> [(change.before.qualified_name, change.after.qualified_name) for change in renamed]
            [('Cart.price', 'Cart.total')]
        """
        return self._ask("changes.Diff", locals())

    def review(
        self,
        base: str | None = None,
        target: str | None = None,
        *,
        limit: int | None = None,
        offset: int = 0,
        affected: bool = True,
    ) -> ReviewDocument:
        """Show a change as a reviewer wants it: what is risky first, what merely moved in one line, who is affected.

        - `base`: A revision, a date, or a range like A..B; else as `birthmark review` chooses it.
        - `target`: A revision; the worktree if left out.
        - `affected`: Look for all tests that may be affected.
        """
        return self._ask("changes.Review", locals())

    def blame(
        self, path: AnyPath, *, limit: int | None = None, offset: int = 0, at: str | None = None
    ) -> Iterator[BlameDocument]:
        """Show who last changed the code of each definition of a file or folder, and who introduced it.

        - `path`: A file or folder, relative to the root of the repository.
        - `at`: A revision.
        """
        return self._ask("history.Blame", locals())

    def commit(self, *, revision: str = "HEAD") -> CommitMessageDocument:
        """Show a commit with its message.

        - `revision`: A revision.
        """
        return self._ask("history.CommitMessage", locals())

    def revisions(self, *, limit: int = 10) -> RevisionsDocument:
        """List commits, branches and tags.

        - `limit`: List at most N commits.
        """
        return self._ask("history.Revisions", locals())

    def users(
        self,
        ref: str,
        *,
        limit: int | None = None,
        offset: int = 0,
        uses: Iterable[Literal["calls", "references", "subclasses"]] = (),
        everywhere: bool = False,
    ) -> EdgesDocument:
        """List the uses of a definition by file, and how sure each is.

        - `ref`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        - `uses`: Only these uses.
        - `everywhere`: Ask all repositories of the database that --store names.

        What uses it in another repository has its name as `repository`.

        Examples:
            >>> from birthmark import Repository
            >>> with Repository.open() as repository:
            ...     [edge.entity.qualified_name for edge in repository.users("net", uses=["calls"]).results]
            ['Cart.total']
        """
        return self._ask("users.Users", locals())

    def callers(
        self,
        ref: str,
        *,
        limit: int | None = None,
        offset: int = 0,
        uses: Iterable[Literal["calls", "references", "subclasses"]] = ("calls",),
        everywhere: bool = False,
    ) -> EdgesDocument:
        """List the calls of a definition by file, and how sure each is.

        - `ref`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        - `uses`: Only these uses.
        - `everywhere`: Ask all repositories of the database that --store names.
        """
        return self._ask("users.Callers", locals())

    def callees(
        self, ref: str, *, limit: int | None = None, offset: int = 0, everywhere: bool = False
    ) -> EdgesDocument:
        """List what a definition calls, by the file that defines it, and how sure each call is.

        - `ref`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        - `everywhere`: Ask all repositories of the database that --store names.
        """
        return self._ask("users.Callees", locals())

    def impact(
        self,
        ref: str,
        *,
        limit: int | None = None,
        offset: int = 0,
        depth: int = 5,
        tests: bool = True,
        timeout: float = 30.0,
        everywhere: bool = False,
    ) -> ImpactDocument:
        """Show what may break when a definition is changed: its users, their users and so on, as a tree.

        - `ref`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        - `depth`: Maximum depth.
        - `tests`: Ignore tests.
        - `timeout`: Stop after this time.
        - `everywhere`: Ask all repositories of the database that --store names.

        Examples:
            >>> from birthmark import Repository
            >>> with Repository.open() as repository:
            ...     [user.depth for user in repository.impact("net").results]
            [1]
        """
        return self._ask("impact.Impact", locals())

    def path(self, start: str, end: str, *, timeout: float = 30.0) -> PathDocument:
        """Show how one definition comes to use another: a shortest way along uses, with the line of each.

        - `start`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        - `end`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        - `timeout`: Stop after this time.
        """
        return self._ask("impact.UsePath", locals())

    def tests(self, ref: str, *, limit: int | None = None, offset: int = 0) -> TestsDocument:
        """List the tests that reach a definition, those with most evidence first, each with its path to REF.

        - `ref`: A mark, key, semantic id, chunk uid, path:line, path::Qualified.name or unique name.
        """
        return self._ask("tests.ReachingTests", locals())

    def affected(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        since: str = "HEAD",
        until: str | None = None,
        likely: bool = False,
    ) -> AffectedDocument:
        """List the tests to run after a change, the likeliest first, each with the path from the test to what changed.

        - `since`: The revision before the change.
        - `until`: The revision after the change; the worktree if left out.
        - `likely`: List only the likely tests: a fifth of all, by score.
        """
        return self._ask("tests.AffectedTests", locals())

    def cycles(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        files: bool = False,
        tests: bool = True,
        timeout: float = 30.0,
    ) -> CyclesDocument:
        """List definitions that use each other in a cycle, the largest groups first; with --files, files that do.

        - `files`: Ask about files instead of definitions.
        - `tests`: Ignore tests.
        - `timeout`: Stop after this time.
        """
        return self._ask("whole_graph.Cycles", locals())

    def components(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        files: bool = False,
        tests: bool = True,
        timeout: float = 30.0,
    ) -> ComponentsDocument:
        """List groups of definitions, or with --files of files, that no use connects, the largest first.

        - `files`: Ask about files instead of definitions.
        - `tests`: Ignore tests.
        - `timeout`: Stop after this time.
        """
        return self._ask("whole_graph.Components", locals())

    def rank(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        files: bool = False,
        tests: bool = True,
        timeout: float = 30.0,
    ) -> RankDocument:
        """List the definitions, or with --files the files, that most other code depends on.

        - `files`: Ask about files instead of definitions.
        - `tests`: Ignore tests.
        - `timeout`: Stop after this time.
        """
        return self._ask("whole_graph.Rank", locals())

    def unused(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        all: bool = False,
        tests: bool = True,
        timeout: float = 120.0,
    ) -> UnusedDocument:
        """List definitions without known users, the most likely to be unused first, and why they may be used after all.

        - `all`: Include tests, special names, entry points and decorated definitions.
        - `tests`: Ignore tests.
        - `timeout`: Stop after this time.
        """
        return self._ask("whole_graph.Unused", locals())

    def modules(
        self,
        path: AnyPath | None = None,
        *,
        limit: int | None = None,
        offset: int = 0,
        depth: int | None = None,
        files: bool = False,
        all: bool = False,
    ) -> ModulesDocument:
        """List folders as modules from the highest layer to the lowest, with what they use and what uses them.

        - `path`: Only this folder; all sources if left out.
        - `depth`: Maximum depth of folders.
        - `files`: Take each file as a module instead of each folder.
        - `all`: Include tests, documentation and generated code.
        """
        return self._ask("structure.Modules", locals())

    def hotspots(
        self,
        paths: Iterable[AnyPath] = (),
        *,
        limit: int | None = None,
        offset: int = 0,
        since: str | None = None,
        all: bool = False,
    ) -> HotspotsDocument:
        """List definitions that change often, are long and have many users, the highest score first.

        - `paths`: Only these files or folders.
        - `since`: Only commits after a date as git reads it, or a revision.
        - `all`: Include tests, documentation and generated code.
        """
        return self._ask("structure.Hotspots", locals())

    def notes(
        self, ref: str | None = None, *, limit: int | None = None, offset: int = 0, stale: bool = False
    ) -> Iterator[NoteDocument]:
        """List the notes on REF, or all of them, by file.

        - `ref`: Only notes on this REF.
        - `stale`: Only notes whose code has changed since.
        """
        return self._ask("notes.Notes", locals())

    def write_note(self, ref: str, text: str, *, team: bool = False) -> NoteDocument:
        """Write a note on a REF.

        - `ref`: A REF.
        - `text`: Plain text, which may have several lines.
        - `team`: Store it in birthmark.toml, for all who have the repository.

        Examples:
            >>> from birthmark import Repository
            >>> with Repository.open() as repository:
            ...     note = repository.write_note("net", "Rates are net of rebates.")
            ...     repository.delete_note(note.id).text
            'Rates are net of rebates.'
        """
        return self._ask("notes.WriteNote", locals())

    def edit_note(self, id: str, text: str) -> NoteDocument:
        """Replace the text of a note.

        - `id`: The id of a note.
        - `text`: Plain text, which may have several lines.
        """
        return self._ask("notes.EditNote", locals())

    def keep_note(self, id: str) -> NoteDocument:
        """Keep a note: it is still true of the code as it is now.

        - `id`: The id of a note.
        """
        return self._ask("notes.KeepNote", locals())

    def delete_note(self, id: str) -> NoteDocument:
        """Delete a note, and return it as it was.

        - `id`: The id of a note.
        """
        return self._ask("notes.DeleteNote", locals())


class SubscriptionQuestions(Asking):
    """The questions about subscriptions and scans."""

    def subscribe(
        self,
        ref: str,
        *,
        users: bool = False,
        entity: bool = False,
        at: str | None = None,
        team: bool = False,
        label: str | None = None,
        description: str | None = None,
        trigger_on_duplicate: bool = False,
        include_members: bool = False,
        include_private: bool = False,
        include_inherited: bool = True,
        track_decorators: bool = True,
        cosmetic: bool = False,
    ) -> SubscribedDocument:
        """Subscribe to changes of REF; its present state is accepted.

        - `ref`: A REF, or a pattern such as `api/**::*Controller.*`.
        - `users`: Report who calls, imports or inherits it.
        - `entity`: Take path:line for the entity at that line.
        - `at`: Accept it as it is at a revision; else as in the worktree.
        - `team`: Store it in birthmark.toml, for all who have the repository.
        - `label`: A few words that every report shows.
        - `description`: Why it matters, for readers of the report.
        - `trigger_on_duplicate`: Trigger if it is gone and several entities could be its successor.
        - `include_members`: Compare each member of a container, inherited ones included.
        - `include_private`: Include private members.
        - `include_inherited`: Include inherited members.
        - `track_decorators`: Compare decorators and annotations.
        - `cosmetic`: Report formatting, comments and documentation.
        """
        return self._ask("subscriptions.Subscribe", locals())

    def list_subscriptions(self, *, limit: int | None = None, offset: int = 0) -> Iterator[SubscriptionDocument]:
        """List subscriptions."""
        return self._ask("subscriptions.ListSubscriptions", locals())

    def get_subscription(self, id: str) -> SubscriptionDocument:
        """Show one subscription.

        - `id`: The id of a subscription.
        """
        return self._ask("subscriptions.ShowSubscription", locals())

    def get_state(self, id: str) -> SubscriptionStateDocument:
        """Show what was accepted of a subscription, and what a scan finds of it now.

        - `id`: The id of a subscription.
        """
        return self._ask("subscriptions.SubscriptionState", locals())

    def update_subscription(
        self,
        id: str,
        *,
        label: str | UnsetType | None = UNSET,
        description: str | UnsetType | None = UNSET,
        trigger_on_duplicate: bool | UnsetType = UNSET,
        include_members: bool | UnsetType = UNSET,
        include_private: bool | UnsetType = UNSET,
        include_inherited: bool | UnsetType = UNSET,
        track_decorators: bool | UnsetType = UNSET,
        cosmetic: bool | UnsetType = UNSET,
    ) -> SubscriptionDocument:
        """Change the label, the description or other options of a subscription.

        - `id`: The id of a subscription.
        - `label`: A few words that every report shows.
        - `description`: Why it matters, for readers of the report.
        - `trigger_on_duplicate`: Trigger if it is gone and several entities could be its successor.
        - `include_members`: Compare each member of a container, inherited ones included.
        - `include_private`: Include private members.
        - `include_inherited`: Include inherited members.
        - `track_decorators`: Compare decorators and annotations.
        - `cosmetic`: Report formatting, comments and documentation.
        """
        return self._ask("subscriptions.ChangeSubscription", locals())

    def acknowledge(self, id: str, *, scan: int | None = None) -> SubscriptionDocument:
        """Acknowledge what a scan found: it is not reported again until it changes further.

        - `id`: The id of a subscription.
        - `scan`: The number of the scan whose finding it is; the last one if left out.
        """
        return self._ask("subscriptions.Acknowledge", locals())

    def snooze(self, id: str, *, until: str | None = None) -> SubscriptionDocument:
        """Mute a subscription until a time; changes are reported after that.

        - `id`: The id of a subscription.
        - `until`: `3d`, `12h`, `2w`, a date or a time; a day from now if left out.
        """
        return self._ask("subscriptions.Snooze", locals())

    def deactivate(self, id: str) -> SubscriptionDocument:
        """Skip a subscription in scans until it is reactivated.

        - `id`: The id of a subscription.
        """
        return self._ask("subscriptions.Deactivate", locals())

    def reactivate(self, id: str) -> SubscriptionDocument:
        """Scan a subscription again; a snooze ends.

        - `id`: The id of a subscription.
        """
        return self._ask("subscriptions.Reactivate", locals())

    def delete(self, id: str) -> SubscriptionDocument:
        """Delete a subscription, and return it as it was.

        - `id`: The id of a subscription.
        """
        return self._ask("subscriptions.DeleteSubscription", locals())

    def scan(
        self,
        base: str | None = None,
        target: str | None = None,
        ids: Iterable[str] = (),
        *,
        limit: int | None = None,
        offset: int = 0,
        docs: bool = False,
        cosmetic: bool = False,
        quick: bool = False,
    ) -> ReportDocument:
        """Check all subscriptions, or those named: report what changed, and propose where each should point now.

        - `base`: Compare with this revision instead of the accepted states.
        - `target`: Scan this revision instead of the worktree.
        - `ids`: Of subscriptions; all of them if left out.
        - `docs`: Also check the links `<!-- birthmark: REF -->` in Markdown files.
        - `cosmetic`: Also report formatting, comments and documentation.
        - `quick`: Look up neither the commits nor the lines of what changed.

        The scan is stored, so that `apply` can accept it; no message is sent.
        """
        return self._ask("scans.Scan", locals())

    def apply(self, ids: Iterable[str] = (), *, dry_run: bool = False, scan: int | None = None) -> AppliedDocument:
        """Accept what the last scan found: path, lines and fingerprints are refreshed together.

        - `ids`: Of subscriptions; all of them if left out.
        - `dry_run`: Print what would be applied, and change nothing.
        - `scan`: Apply what the scan of this number found; else the last one.
        """
        return self._ask("scans.Apply", locals())

    def list_scans(self, *, limit: int | None = None, offset: int = 0) -> ScanPage:
        """List the stored scans, newest first."""
        return self._ask("scans.Scans", locals())

    def get_scan(self, number: int, *, limit: int | None = None, offset: int = 0) -> ReportDocument:
        """Show what a stored scan found.

        - `number`: The number of a scan.
        """
        return self._ask("scans.StoredScan", locals())

    def list_triggers(
        self, *, limit: int | None = None, offset: int = 0, ids: Iterable[str] = (), scans: int = 200
    ) -> PastTriggerPage:
        """List what scans have reported, newest first.

        - `ids`: Of subscriptions; all of them if left out.
        - `scans`: Look through the last N scans.
        """
        return self._ask("scans.Triggers", locals())

    def list_deliveries(self, *, limit: int | None = None, offset: int = 0, state: str | None = None) -> MessagePage:
        """List the messages of scans, newest first.

        - `state`: Only messages in this state.
        """
        return self._ask("scans.Deliveries", locals())

    def retry_delivery(self, message: str) -> MessageDocument:
        """Have a message that was given up sent again, by the next `birthmark deliver`.

        - `message`: The id of a message.
        """
        return self._ask("scans.RetryDelivery", locals())
