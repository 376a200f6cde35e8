// Package harbor keeps track of ships and their berths.
package harbor

import (
	"context"
	"errors"
	"fmt"
	log "log/slog"
	"sync"

	"example.com/fleet/radio"
)

// ErrFull says that no berth is free.
var ErrFull = errors.New("harbor is full")

const (
	// DefaultBerths is the size of a small harbor.
	DefaultBerths = 12
	maxDraft      = 9.5
)

// State is where a ship is.
type State int

const (
	AtSea State = iota
	Moored
	Departed, Lost = State(7), State(8)
)

// Mooring is anything a ship can be tied to.
type Mooring interface {
	fmt.Stringer
	// Moor ties a ship up.
	Moor(ctx context.Context, ship *Ship) (berth int, err error)
	Release(int) bool
}

type (
	// Ship is one vessel.
	Ship struct {
		radio.Transceiver
		Name, Flag string  `json:"name"`
		Draft      float64 // in metres
		onArrive   func(berth int)
		crew       struct {
			captain string
		}
	}

	// Registry maps names to ships.
	Registry[K comparable] struct {
		mu    sync.Mutex
		ships map[K]*Ship
	}

	names = []string
)

// Harbor has a fixed number of berths.
type Harbor struct {
	*Registry[string]
	berths []*Ship
	state  map[string]State
}

var _ Mooring = (*Harbor)(nil)

func init() {
	log.SetDefault(log.Default())
}

// New builds a harbor.
func New(berths int, options ...func(*Harbor)) *Harbor {
	h := &Harbor{berths: make([]*Ship, berths), state: map[string]State{}}
	for _, option := range options {
		option(h)
	}
	return h
}

// String describes the harbor.
func (h *Harbor) String() string {
	return fmt.Sprintf("harbor with %d berths", len(h.berths))
}

func (h *Harbor) Moor(ctx context.Context, ship *Ship) (berth int, err error) {
	if ship.Draft > maxDraft {
		return -1, fmt.Errorf("%s: too deep", ship.Name)
	} else if err := ctx.Err(); err != nil {
		return -1, err
	}
	for i, other := range h.berths {
		if other != nil {
			continue
		}
		h.berths[i] = ship
		h.state[ship.Name] = Moored
		if ship.onArrive != nil {
			defer ship.onArrive(i)
		}
		return i, nil
	}
	return -1, ErrFull
}

func (Harbor) Release(int) bool { return false }

func (r *Registry[K]) Add(key K, ship *Ship) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ships[key] = ship
}

func (r *Registry[K]) Each(visit func(K, *Ship)) {
	type pair struct {
		key  K
		ship *Ship
	}
	var pairs []pair
	for key, ship := range r.ships {
		pairs = append(pairs, pair{key, ship})
	}
	walk := func(from int) {
		for _, p := range pairs[from:] {
			visit(p.key, p.ship)
		}
	}
	walk(0)
}

func describe(state State) (text string) {
	switch state {
	case AtSea, Lost:
		text = "out there"
	default:
		text = "near"
	}
	return text
}
