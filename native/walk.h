/* How a query walks over a tree: on tree-sitter's cursor, with steps that find out what a node is once.

   The cursor of the runtime counts descendants, which no query needs, and looks up aliases and fields of every node
   for each question. Here an entry has its alias and whether it is visible where the runtime has that count; and what
   only patterns ask of a node is found out where one of them may match it. Included by runtime.c. */

enum { VISIBLE = 1, ALIAS_SHIFT = 1 };

static inline bool is_visible_entry(const TreeCursorEntry *entry) { return entry->descendant_index & VISIBLE; }

/* Go on to the next child of a parent, visible or not; false behind the last. */
static inline bool skip_child(TreeCursorEntry *entry, const Subtree *children, uint32_t n_children) {
    Subtree child = children[entry->child_index];
    if (++entry->child_index == n_children) return false;
    entry->structural_child_index += !ts_subtree_extra(child);
    Length start = length_add(entry->position, ts_subtree_size(child));
    entry->position = length_add(start, ts_subtree_padding(children[entry->child_index]));
    return true;
}

/* Enter the first child from an entry on that is visible or has something visible in it. */
static inline TreeCursorStep enter_child(TreeCursor *self, TreeCursorEntry entry, Subtree parent) {
    const TSSymbol *aliases = ts_language_alias_sequence(self->tree->language, parent.ptr->production_id);
    const Subtree *children = ts_subtree_children(parent);
    do {
        Subtree child = children[entry.child_index];
        TSSymbol alias = aliases && !ts_subtree_extra(child) ? aliases[entry.structural_child_index] : 0;
        bool is_visible = alias || ts_subtree_visible(child);
        if (is_visible || ts_subtree_visible_child_count(child) > 0) {
            entry.subtree = &children[entry.child_index];
            entry.descendant_index = (uint32_t)alias << ALIAS_SHIFT | (is_visible ? VISIBLE : 0);
            array_push(&self->stack, entry);
            return is_visible ? TreeCursorStepVisible : TreeCursorStepHidden;
        }
    } while (skip_child(&entry, children, parent.ptr->child_count));
    return TreeCursorStepNone;
}

static inline TreeCursorStep walk_to_first_child(TSTreeCursor *cursor) {
    TreeCursor *self = (TreeCursor *)cursor;
    const TreeCursorEntry *last = array_back(&self->stack);
    if (ts_subtree_child_count(*last->subtree) == 0) return TreeCursorStepNone;
    return enter_child(self, (TreeCursorEntry){.position = last->position}, *last->subtree);
}

/* To the next sibling, or to that of the hidden nodes around. */
static inline TreeCursorStep walk_to_next_sibling(TSTreeCursor *cursor) {
    TreeCursor *self = (TreeCursor *)cursor;
    uint32_t n_entries = self->stack.size;
    for (uint32_t i = n_entries - 1; i > 0; i--) {
        TreeCursorEntry entry = *array_get(&self->stack, i);
        if (i < n_entries - 1 && is_visible_entry(&entry)) break;
        Subtree parent = *array_get(&self->stack, i - 1)->subtree;
        if (!skip_child(&entry, ts_subtree_children(parent), parent.ptr->child_count)) continue;
        self->stack.size = i;
        TreeCursorStep step = enter_child(self, entry, parent);
        if (step != TreeCursorStepNone) return step;
    }
    self->stack.size = n_entries;
    return TreeCursorStepNone;
}

static inline bool walk_to_parent(TSTreeCursor *cursor) {
    TreeCursor *self = (TreeCursor *)cursor;
    for (uint32_t n_entries = self->stack.size - 1; n_entries > 0; n_entries--) {
        if (n_entries > 1 && !is_visible_entry(array_get(&self->stack, n_entries - 1))) continue;
        self->stack.size = n_entries;
        return true;
    }
    return false;
}

static inline TSNode node_of(const TreeCursor *self, const TreeCursorEntry *entry) {
    return ts_node_new(self->tree, entry->subtree, entry->position, (TSSymbol)(entry->descendant_index >> ALIAS_SHIFT));
}

/* The visible node around, or none. */
static inline TSNode walked_parent(const TSTreeCursor *cursor) {
    const TreeCursor *self = (const TreeCursor *)cursor;
    if (self->stack.size > 2) {
        const TreeCursorEntry *around = array_get(&self->stack, self->stack.size - 2);
        if (is_visible_entry(around) && !ts_subtree_extra(*around->subtree)) return node_of(self, around);
    }
    return ts_tree_cursor_parent_node(cursor);
}

static inline TSNode walked_node(const TSTreeCursor *cursor) {
    const TreeCursor *self = (const TreeCursor *)cursor;
    if (self->stack.size == 1) return ts_tree_cursor_current_node(cursor);
    return node_of(self, array_back(&self->stack));
}
