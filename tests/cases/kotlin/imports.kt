package a.b

import a.b.C
import a.b.c.d.E as F
import a.b.*
import kotlin.math.PI // behind
import single
import two.Parts
