<?php
namespace One\Two {
    const A = 1;
    class Thing {}
    function make() {}
}

namespace {
    function make() {}
}
