/// The built-in types of PostgreSQL by OID, so that finding their names needs no query.
enum PostgresTypes {
    /// The names that `format_type` gives (`pg_type.dat` of PostgreSQL 15).
    static let names: [UInt32: String] = [
        16: "boolean", 17: "bytea", 18: "\"char\"", 19: "name", 20: "bigint", 21: "smallint", 22: "int2vector", 23: "integer",
        24: "regproc", 25: "text", 26: "oid", 27: "tid", 28: "xid", 29: "cid", 30: "oidvector", 114: "json", 142: "xml",
        194: "pg_node_tree", 199: "json[]", 600: "point", 601: "lseg", 602: "path", 603: "box", 604: "polygon", 628: "line", 650: "cidr",
        700: "real", 701: "double precision", 705: "unknown", 718: "circle", 774: "macaddr8", 790: "money", 829: "macaddr", 869: "inet",
        1000: "boolean[]", 1001: "bytea[]", 1002: "\"char\"[]", 1003: "name[]", 1005: "smallint[]", 1007: "integer[]", 1009: "text[]",
        1014: "character[]", 1015: "character varying[]", 1016: "bigint[]", 1021: "real[]", 1022: "double precision[]", 1028: "oid[]",
        1033: "aclitem", 1034: "aclitem[]", 1041: "inet[]", 1042: "character", 1043: "character varying", 1082: "date",
        1083: "time without time zone", 1114: "timestamp without time zone", 1115: "timestamp without time zone[]", 1182: "date[]",
        1183: "time without time zone[]", 1184: "timestamp with time zone", 1185: "timestamp with time zone[]", 1186: "interval",
        1187: "interval[]", 1231: "numeric[]", 1266: "time with time zone", 1560: "bit", 1562: "bit varying", 1700: "numeric",
        1790: "refcursor", 2202: "regprocedure", 2205: "regclass", 2206: "regtype", 2249: "record", 2278: "void", 2950: "uuid",
        2951: "uuid[]", 3220: "pg_lsn", 3614: "tsvector", 3615: "tsquery", 3802: "jsonb", 3807: "jsonb[]", 3904: "int4range",
        3906: "numrange", 3908: "tsrange", 3910: "tstzrange", 3912: "daterange", 3926: "int8range",
    ]
    /// The OIDs by name, including the short names used in statements.
    static let oids: [String: UInt32] = {
        var oids: [String: UInt32] = [
            "bool": 16, "int2": 21, "int4": 23, "int8": 20, "float4": 700, "float8": 701, "varchar": 1043, "bpchar": 1042,
            "timestamp": 1114, "timestamptz": 1184, "time": 1083, "timetz": 1266, "varbit": 1562,
        ]
        for (number, name) in names { oids[name] = number }
        return oids
    }()
}

/// Tables of the drivers, for tests that compare them with a server.
package enum DriverTables {
    /// The name of a built-in type.
    package static func postgresTypeName(_ oid: UInt32) -> String? { PostgresTypes.names[oid] }

    /// The number of built-in types.
    package static var postgresTypeCount: Int { PostgresTypes.names.count }
}
