// Reads what the casino publishes with Go's own packages for transparency logs, and says whether it holds.
//
//	reader note NOTE VKEY...              the signatures, and what the checkpoint says
//	reader cosignature NOTE VKEY...       signatures of witnesses
//	reader inclusion PROOF ENTRY VKEY...  a .tlog-proof file, and the entry's bytes
//	reader consistency OLD NEW PATH VKEY...  two notes, and the path between them, a hash a line
//	reader bundle FOLDER VKEY...          a whole export
//
// It ends with 0 where everything holds; else with 1 and a sentence. Nothing of it was written beside the
// Python: it knows the formats from their specifications.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	said, err := run(os.Args[1:])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(said)
}

func run(asked []string) (string, error) {
	files := map[string]int{"note": 1, "cosignature": 1, "inclusion": 2, "consistency": 3, "bundle": 1}
	if len(asked) == 0 || files[asked[0]] == 0 || len(asked) < 2+files[asked[0]] {
		return "", errors.New("usage: reader note|cosignature|inclusion|consistency|bundle FILES VKEYS")
	}
	told, keys := asked[1:1+files[asked[0]]], asked[1+files[asked[0]]:]
	if asked[0] == "bundle" {
		return checkBundle(told[0], keys)
	}
	read := make([][]byte, len(told))
	for i, name := range told {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		read[i] = data
	}
	switch asked[0] {
	case "note":
		_, tree, err := open(read[0], keys, note.NewVerifier)
		return fmt.Sprint(tree.N, " ", tree.Hash), err
	case "cosignature":
		_, tree, err := open(read[0], keys, newWitness)
		return fmt.Sprint(tree.N, " ", tree.Hash), err
	case "inclusion":
		return checkInclusion(read[0], read[1], keys)
	default:
		return checkConsistency(read[0], read[1], read[2], keys)
	}
}

// open checks a checkpoint's signatures and reads its three lines.
func open(data []byte, keys []string, kind func(string) (note.Verifier, error)) (string, tlog.Tree, error) {
	var known []note.Verifier
	for _, key := range keys {
		verifier, err := kind(key)
		if err != nil {
			return "", tlog.Tree{}, err
		}
		known = append(known, verifier)
	}
	opened, err := note.Open(data, note.VerifierList(known...))
	if err != nil {
		return "", tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[3] != "" {
		return "", tlog.Tree{}, errors.New("not a checkpoint")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] {
		return "", tlog.Tree{}, errors.New("not a size: " + lines[1])
	}
	root, err := tlog.ParseHash(lines[2])
	return lines[0], tlog.Tree{N: size, Hash: root}, err
}

func checkInclusion(proof, entry []byte, keys []string) (string, error) {
	parts := strings.SplitN(string(proof), "\n\n", 2)
	lines := strings.Split(parts[0], "\n")
	if len(parts) != 2 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return "", errors.New("not a proof")
	}
	lines = lines[1:]
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return "", errors.New("no index")
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "index "), 10, 64)
	if err != nil {
		return "", err
	}
	path, err := hashes(lines[1:])
	if err != nil {
		return "", err
	}
	_, tree, err := open([]byte(parts[1]), keys, note.NewVerifier)
	if err != nil {
		return "", err
	}
	err = tlog.CheckRecord(path, tree.N, tree.Hash, index, tlog.RecordHash(entry))
	return fmt.Sprint("entry ", index, " of ", tree.N), err
}

func checkConsistency(was, is, told []byte, keys []string) (string, error) {
	_, old, err := open(was, keys, note.NewVerifier)
	if err != nil {
		return "", err
	}
	_, tree, err := open(is, keys, note.NewVerifier)
	if err != nil {
		return "", err
	}
	path, err := hashes(strings.Fields(string(told)))
	if err != nil {
		return "", err
	}
	err = tlog.CheckTree(path, tree.N, tree.Hash, old.N, old.Hash)
	return fmt.Sprint(old.N, " of ", tree.N), err
}

func hashes(lines []string) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return nil, err
		}
		found = append(found, hash)
	}
	return found, nil
}

// witness is what sumdb/note does not know: a key of kind 4, that signs a moment and the text.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func newWitness(vkey string) (note.Verifier, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, errors.New("not a key")
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 33 || key[0] != 4 {
		return nil, errors.New("not a witness's key")
	}
	// note checks that the hash belongs to the key, for the kind that it knows.
	hash, err := strconv.ParseUint(parts[1], 16, 32)
	return witness{parts[0], uint32(hash), key[1:]}, err
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	moment := binary.BigEndian.Uint64(signature)
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", moment, text)
	return ed25519.Verify(w.key, []byte(signed), signature[8:])
}
