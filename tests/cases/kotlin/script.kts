#!/usr/bin/env kotlin
plugins {
    kotlin("jvm") version "2.0"
}

val target = "jvm"

tasks.register("hello") {
    doLast { println(target) }
}
