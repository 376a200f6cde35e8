/* The module `birthmark._native`: how its functions are called from Python. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <tree_sitter/api.h>

/* Takes a grammar's capsule and a source; returns the number of bytes that the root of its tree covers. */
static PyObject *parse_size(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    const char *source;
    Py_ssize_t length;

    (void)self;
    if (!PyArg_ParseTuple(args, "Oy#", &capsule, &source, &length))
        return NULL;
    const TSLanguage *language = PyCapsule_GetPointer(capsule, "tree_sitter.Language");
    if (language == NULL)
        return NULL;
    if (length > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "the source is longer than 2 GB");
        return NULL;
    }
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, language)) {
        ts_parser_delete(parser);
        PyErr_SetString(PyExc_ValueError, "the grammar is of another version of tree-sitter");
        return NULL;
    }
    TSTree *tree = ts_parser_parse_string(parser, NULL, source, (uint32_t)length);
    uint32_t end = ts_node_end_byte(ts_tree_root_node(tree));
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    return PyLong_FromUnsignedLong(end);
}

static PyMethodDef functions[] = {
    {"parse_size", parse_size, METH_VARARGS, "The number of bytes that the root of a source's tree covers."},
    {NULL, NULL, 0, NULL},
};

/* BIRTHMARK_DIGEST is the hash of the sources, see syntax/native.py; a binary without it is not used. */
static int add_constants(PyObject *module)
{
    return PyModule_AddStringConstant(module, "DIGEST", BIRTHMARK_DIGEST);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_constants},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "birthmark._native",
    .m_doc = "Extraction in C.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
