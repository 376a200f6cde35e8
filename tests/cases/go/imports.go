package p

import "fmt"
import str "strings"
import (
	. "math"
	_ "example.com/driver"
	"example.com/a/b"
	raw `os`
)
