import a.b.C
import a.b.{D, E => F, _}
import a.b._
import scala.collection.mutable.Map
import a.b.c.d.e.{F, G}
import one
import x.Y, z.w.V, u._
import a.b.{G as H, given}
import a.b.*
import p.q as r
