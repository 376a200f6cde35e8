#!/usr/bin/env amm
import $ivy.`org.typelevel::cats-core:2.0.0`

val target = "jvm"

@main
def hello(name: String = "you") = println(name + target)
