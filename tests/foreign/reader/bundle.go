package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8 // of a tile: 256 hashes

// folder reads the tiles of an export as TileHashReader asks for them.
type folder string

func (f folder) Height() int                     { return height }
func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}
func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		// sumdb names the height too: tile/8/0/x001/234.p/7
		path := "tile/" + strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", height))
		data, err := os.ReadFile(filepath.Join(string(f), path))
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

// checkBundle goes through an export: digests, signatures, every entry, every tile, and every older checkpoint as
// the beginning of the newest tree.
func checkBundle(path string, keys []string) (string, error) {
	told, err := readHead(path)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(path, "checkpoint"))
	if err != nil {
		return "", err
	}
	origin, tree, err := open(data, keys, note.NewVerifier)
	if err != nil {
		return "", err
	}
	if origin != told.Origin || tree.N != told.Size || hex.EncodeToString(tree.Hash[:]) != told.Root {
		return "", errors.New("bundle.json and the checkpoint do not agree")
	}
	var reader tlog.HashReader = tlog.TileHashReader(tree, folder(path))
	entries := tree.N
	if told.Scope.Kind != "full" {
		entries, err = checkSome(path, tree, reader)
		if err != nil {
			return "", err
		}
	} else if reader, err = checkAll(path, tree); err != nil {
		return "", err
	}
	if entries != told.Entries {
		return "", fmt.Errorf("%d entries where bundle.json says %d", entries, told.Entries)
	}
	checkpoints, err := checkOlder(path, data, tree, reader, keys)
	return fmt.Sprintf("%d entries of %d, %d checkpoints", entries, tree.N, checkpoints), err
}

type head struct {
	Digests map[string]string
	Entries int64
	Format  string
	Origin  string
	Root    string
	Scope   struct{ Kind string }
	Size    int64
}

func readHead(path string) (head, error) {
	var told head
	data, err := os.ReadFile(filepath.Join(path, "bundle.json"))
	if err != nil {
		return told, err
	}
	if err := json.Unmarshal(data, &told); err != nil {
		return told, err
	}
	if told.Format != "livro-da-sala-bundle/1" {
		return told, errors.New("another format: " + told.Format)
	}
	for name, digest := range told.Digests {
		data, err := os.ReadFile(filepath.Join(path, filepath.Clean("/"+name)))
		if err != nil {
			return told, err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != digest {
			return told, errors.New(name + " is not what bundle.json says")
		}
	}
	return told, nil
}

// checkOlder reads checkpoints.jsonl: each signed, each larger than the one before, each a beginning of the tree.
func checkOlder(path string, newest []byte, tree tlog.Tree, reader tlog.HashReader, keys []string) (int, error) {
	file, err := os.Open(filepath.Join(path, "checkpoints.jsonl"))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 4<<20)
	count, size, last := 0, int64(0), ""
	for lines.Scan() {
		if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
			return 0, err
		}
		_, old, err := open([]byte(last), keys, note.NewVerifier)
		if err != nil {
			return 0, fmt.Errorf("checkpoint %d: %v", count, err)
		}
		if old.N <= size || old.N > tree.N {
			return 0, fmt.Errorf("checkpoint %d: size %d after %d", count, old.N, size)
		}
		size = old.N
		proof, err := tlog.ProveTree(tree.N, old.N, reader)
		if err == nil {
			err = tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash)
		}
		if err != nil {
			return 0, fmt.Errorf("checkpoint %d: %v", count, err)
		}
		count++
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	if last != string(newest) {
		return 0, errors.New("the last of checkpoints.jsonl is not the checkpoint")
	}
	return count, nil
}

// checkAll makes the whole tree once more, from nothing but the entries, and holds every tile against it.
func checkAll(path string, tree tlog.Tree) (tlog.HashReader, error) {
	var stored []tlog.Hash
	grown := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	for first := int64(0); first < tree.N; first += 1 << height {
		tile := tileAt(-1, first>>height, tree.N)
		name := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/data", height), "tile/entries", 1)
		data, err := os.ReadFile(filepath.Join(path, name))
		if err != nil {
			return nil, err
		}
		for at := int64(0); at < int64(tile.W); at++ {
			entry, rest, err := cut(data)
			if err != nil {
				return nil, fmt.Errorf("entry %d: %v", first+at, err)
			}
			hashes, err := tlog.StoredHashes(first+at, entry, grown)
			if err != nil {
				return nil, err
			}
			stored, data = append(stored, hashes...), rest
		}
		if len(data) > 0 {
			return nil, errors.New(name + " holds more than its entries")
		}
	}
	root, err := tlog.TreeHash(tree.N, grown)
	if err != nil {
		return nil, err
	}
	if root != tree.Hash {
		return nil, errors.New("the entries make another tree")
	}
	return grown, checkTiles(path, tree.N, grown)
}

func checkTiles(path string, size int64, grown tlog.HashReader) error {
	for level := 0; size>>uint(height*level) > 0; level++ {
		for n := int64(0); n<<height < size>>uint(height*level); n++ {
			tile := tileAt(level, n, size)
			data, err := folder(path).ReadTiles([]tlog.Tile{tile})
			if err != nil {
				return err
			}
			made, err := tlog.ReadTileData(tile, grown)
			if err != nil {
				return err
			}
			if !bytes.Equal(made, data[0]) {
				return errors.New(tile.Path() + " is not the tile of these entries")
			}
		}
	}
	return nil
}

// tileAt gives the tile of a tree of this size: full, or as wide as there are hashes.
func tileAt(level int, n, size int64) tlog.Tile {
	hashes := size
	if level > 0 {
		hashes = size >> uint(height*level)
	}
	tile := tlog.Tile{H: height, L: level, N: n, W: 1 << height}
	if left := hashes - n<<height; left < 1<<height {
		tile.W = int(left)
	}
	return tile
}

// checkSome proves every shown entry from the tiles. The proofs are followed to the signed root: what the reader of
// tiles says of itself is not enough, versions of it leave a tile beside the rightmost ones unchecked.
func checkSome(path string, tree tlog.Tree, reader tlog.HashReader) (int64, error) {
	names, err := filepath.Glob(filepath.Join(path, "shown", "*"))
	if err != nil {
		return 0, err
	}
	sort.Strings(names)
	count, before := int64(0), int64(-1)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		for len(data) > 0 {
			if len(data) < 8 {
				return 0, errors.New(name + ": cut short")
			}
			index := int64(binary.BigEndian.Uint64(data))
			entry, rest, err := cut(data[8:])
			if err != nil || index <= before {
				return 0, fmt.Errorf("%s: entry %d after %d: %v", name, index, before, err)
			}
			proof, err := tlog.ProveRecord(tree.N, index, reader)
			if err == nil {
				err = tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entry))
			}
			if err != nil {
				return 0, fmt.Errorf("entry %d: %v", index, err)
			}
			count, before, data = count+1, index, rest
		}
	}
	return count, nil
}

// cut takes one entry, after its length, off the data.
func cut(data []byte) (entry, rest []byte, err error) {
	if len(data) < 2 || len(data)-2 < int(binary.BigEndian.Uint16(data)) {
		return nil, nil, errors.New("cut short")
	}
	end := 2 + int(binary.BigEndian.Uint16(data))
	return data[2:end], data[end:], nil
}
