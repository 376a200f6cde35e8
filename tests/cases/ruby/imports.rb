require 'set'
require_relative "../lib/tool"
require File.expand_path("other", __dir__)
autoload :Parser, "tool/parser"
load "tasks.rb"
