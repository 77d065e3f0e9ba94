package heliograph;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON by RFC 8259. */
final class JsonReader {
    private static final int DEEPEST = 200;
    /** Most digits of an exponent: a number such as 1e999999999 would fill the memory of whoever prints it. */
    private static final int LONGEST_EXPONENT = 3;

    private final String text;
    private int at;
    private int depth;

    JsonReader(String text) {
        this.text = text;
    }

    Object whole() {
        Object value = value();
        skipBlanks();
        if (at < text.length()) {
            throw wrong();
        }
        return value;
    }

    private Object value() {
        skipBlanks();
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> fields = new LinkedHashMap<>();
        enter();
        if (!next('}')) {
            do {
                skipBlanks();
                String name = string();
                expect(':');
                fields.put(name, value());
            } while (next(','));
            expect('}');
        }
        depth--;
        return fields;
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
        enter();
        if (!next(']')) {
            do {
                items.add(value());
            } while (next(','));
            expect(']');
        }
        depth--;
        return items;
    }

    private String string() {
        StringBuilder made = new StringBuilder();
        if (peek() != '"') {
            throw wrong();
        }
        for (at++; peek() != '"'; at++) {
            char c = peek();
            if (c < ' ') {
                throw wrong();
            }
            made.append(c == '\\' ? escaped() : c);
        }
        at++;
        return made.toString();
    }

    private char escaped() {
        at++;
        char c = peek();
        switch (c) {
            case '"':
            case '\\':
            case '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                String digits = at + 5 <= text.length() ? text.substring(at + 1, at + 5) : "";
                if (!digits.matches("[0-9a-fA-F]{4}")) {
                    throw wrong();
                }
                at += 4;
                return (char) Integer.parseInt(digits, 16);
            default:
                throw wrong();
        }
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(from, at);
        if (digits.matches("-?(0|[1-9][0-9]*)")) {
            return digits.length() < 19 ? (Object) Long.valueOf(digits) : exact(new BigInteger(digits));
        }
        if (digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1," + LONGEST_EXPONENT + "})?")) {
            return new BigDecimal(digits);
        }
        throw wrong();
    }

    private static Object exact(BigInteger number) {
        return number.bitLength() < 64 ? (Object) number.longValue() : number;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong();
        }
        at += word.length();
        return value;
    }

    private void enter() {
        at++;
        if (++depth > DEEPEST) {
            throw wrong();
        }
    }

    private boolean next(char wanted) {
        skipBlanks();
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char wanted) {
        if (!next(wanted)) {
            throw wrong();
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at);
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("This is not JSON, from character " + at + " on.");
    }
}
