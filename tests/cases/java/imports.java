package a.b;

import a.b.C;
import a.b.Outer.Inner;
import static a.b.C.d;
import a.b.*;
import static java.lang.Math.*;
import java.util.List;
import java.util.List;
import Bare;

class Importing {}
