/* xxHash, SHA-256, CRC-32 and FNV-1a as their authors define them; they agree with the Python path's libraries. */

#include "base.h"

static uint64_t read64(const unsigned char *at) {
    uint64_t value;
    memcpy(&value, at, 8);
    return value;
}

static uint32_t read32(const unsigned char *at) {
    uint32_t value;
    memcpy(&value, at, 4);
    return value;
}

static uint64_t rotate64(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }
static uint32_t rotate32(uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

static const uint64_t A1 = UINT64_C(0x9E3779B185EBCA87), A2 = UINT64_C(0xC2B2AE3D27D4EB4F),
                      A3 = UINT64_C(0x165667B19E3779F9), A4 = UINT64_C(0x85EBCA77C2B2AE63),
                      A5 = UINT64_C(0x27D4EB2F165667C5);

static uint64_t round64(uint64_t sum, uint64_t input) { return rotate64(sum + input * A2, 31) * A1; }

uint64_t xxh64(const void *data, size_t length, uint64_t seed) {
    const unsigned char *at = data, *end = at + length;
    uint64_t hash;
    if (length >= 32) {
        uint64_t lanes[4] = {seed + A1 + A2, seed + A2, seed, seed - A1};
        for (; end - at >= 32; at += 32)
            for (int i = 0; i < 4; i++) lanes[i] = round64(lanes[i], read64(at + 8 * i));
        hash = rotate64(lanes[0], 1) + rotate64(lanes[1], 7) + rotate64(lanes[2], 12) + rotate64(lanes[3], 18);
        for (int i = 0; i < 4; i++) hash = (hash ^ round64(0, lanes[i])) * A1 + A4;
    } else {
        hash = seed + A5;
    }
    hash += length;
    for (; end - at >= 8; at += 8) hash = rotate64(hash ^ round64(0, read64(at)), 27) * A1 + A4;
    if (end - at >= 4) {
        hash = rotate64(hash ^ read32(at) * A1, 23) * A2 + A3;
        at += 4;
    }
    for (; at < end; at++) hash = rotate64(hash ^ *at * A5, 11) * A1;
    hash = (hash ^ hash >> 33) * A2;
    hash = (hash ^ hash >> 29) * A3;
    return hash ^ hash >> 32;
}

static const uint32_t B1 = 0x9E3779B1U, B2 = 0x85EBCA77U, B3 = 0xC2B2AE3DU, B4 = 0x27D4EB2FU, B5 = 0x165667B1U;

uint32_t xxh32(const void *data, size_t length, uint32_t seed) {
    const unsigned char *at = data, *end = at + length;
    uint32_t hash;
    if (length >= 16) {
        uint32_t lanes[4] = {seed + B1 + B2, seed + B2, seed, seed - B1};
        for (; end - at >= 16; at += 16)
            for (int i = 0; i < 4; i++) lanes[i] = rotate32(lanes[i] + read32(at + 4 * i) * B2, 13) * B1;
        hash = rotate32(lanes[0], 1) + rotate32(lanes[1], 7) + rotate32(lanes[2], 12) + rotate32(lanes[3], 18);
    } else {
        hash = seed + B5;
    }
    hash += (uint32_t)length;
    for (; end - at >= 4; at += 4) hash = rotate32(hash + read32(at) * B3, 17) * B4;
    for (; at < end; at++) hash = rotate32(hash + *at * B5, 11) * B1;
    hash = (hash ^ hash >> 15) * B2;
    hash = (hash ^ hash >> 13) * B3;
    return hash ^ hash >> 16;
}

uint32_t crc32_of(Text text) {
    uint32_t value = UINT32_MAX;
    for (uint32_t i = 0; i < text.length; i++) {
        value ^= (unsigned char)text.at[i];
        for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (0xEDB88320U & (0U - (value & 1U)));
    }
    return ~value;
}

uint32_t fnv1a(const char *text, size_t length) {
    uint32_t value = 0x811C9DC5U;
    for (size_t i = 0; i < length; i++) value = (value ^ (unsigned char)text[i]) * 0x01000193U;
    return value;
}

void hex_digits(uint64_t number, int digits, char *into) {
    for (int i = digits - 1; i >= 0; i--, number >>= 4) into[i] = "0123456789abcdef"[number & 15];
}

static const uint32_t ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* The processor's own rounds: two at a time, on the state as ABEF and CDGH. */
__attribute__((target("sha,sse4.1,ssse3"))) static void sha256_blocks_x86(uint32_t *state, const unsigned char *data, size_t count) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xF0);
    for (; count; count--, data += 64) {
        __m128i abef_before = abef, cdgh_before = cdgh, words[4];
        for (int i = 0; i < 4; i++)
            words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * i)), swap);
        for (int i = 0; i < 16; i++) {
            __m128i *now = &words[i & 3];
            if (i >= 4) {
                __m128i sum = _mm_sha256msg1_epu32(*now, words[(i + 1) & 3]);
                sum = _mm_add_epi32(sum, _mm_alignr_epi8(words[(i + 3) & 3], words[(i + 2) & 3], 4));
                *now = _mm_sha256msg2_epu32(sum, words[(i + 3) & 3]);
            }
            __m128i input = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)(ROUNDS + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0E));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    low = _mm_shuffle_epi32(abef, 0x1B);
    high = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

#include <cpuid.h>

static bool has_sha(void) {
    static int known = -1;
    if (known < 0) {
        unsigned a, b = 0, c = 0, d;
        bool is_there = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1);
        known = is_there && __get_cpuid(1, &a, &b, &c, &d) && (c >> 19 & 1) && (c >> 9 & 1);
    }
    return known == 1;
}
#endif

static void sha256_blocks(uint32_t *state, const unsigned char *data, size_t count) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (has_sha()) {
        sha256_blocks_x86(state, data, count);
        return;
    }
#endif
    for (; count; count--, data += 64) {
        uint32_t words[64];
        for (int i = 0; i < 16; i++)
            words[i] = (uint32_t)data[4 * i] << 24 | (uint32_t)data[4 * i + 1] << 16 | (uint32_t)data[4 * i + 2] << 8 |
                       data[4 * i + 3];
        for (int i = 16; i < 64; i++) {
            uint32_t first = words[i - 15], last = words[i - 2];
            words[i] = words[i - 16] + (rotate32(first, 25) ^ rotate32(first, 14) ^ first >> 3) + words[i - 7] +
                       (rotate32(last, 15) ^ rotate32(last, 13) ^ last >> 10);
        }
        uint32_t v[8];
        memcpy(v, state, sizeof v);
        for (int i = 0; i < 64; i++) {
            uint32_t sum = v[7] + (rotate32(v[4], 26) ^ rotate32(v[4], 21) ^ rotate32(v[4], 7)) +
                           ((v[4] & v[5]) ^ (~v[4] & v[6])) + ROUNDS[i] + words[i];
            uint32_t other = (rotate32(v[0], 30) ^ rotate32(v[0], 19) ^ rotate32(v[0], 10)) +
                             ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += sum;
            v[0] = sum + other;
        }
        for (int i = 0; i < 8; i++) state[i] += v[i];
    }
}

void sha256_start(Sha256 *sha) {
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->state, initial, sizeof initial);
    sha->length = 0;
    sha->filled = 0;
}

void sha256_add(Sha256 *sha, const void *data, size_t length) {
    const unsigned char *at = data;
    sha->length += length;
    if (sha->filled) {
        size_t taken = 64 - sha->filled < length ? 64 - sha->filled : length;
        memcpy(sha->block + sha->filled, at, taken);
        sha->filled += taken;
        at += taken;
        length -= taken;
        if (sha->filled < 64) return;
        sha256_blocks(sha->state, sha->block, 1);
        sha->filled = 0;
    }
    sha256_blocks(sha->state, at, length / 64);
    at += length & ~(size_t)63;
    length &= 63;
    if (length) memcpy(sha->block, at, length);
    sha->filled = length;
}

uint64_t sha256_first8(Sha256 *sha) {
    uint64_t bits = sha->length * 8;
    static const unsigned char padding[64] = {0x80};
    sha256_add(sha, padding, (sha->filled < 56 ? 56 : 120) - sha->filled);
    unsigned char length[8];
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(sha, length, 8);
    return (uint64_t)sha->state[0] << 32 | sha->state[1];
}
