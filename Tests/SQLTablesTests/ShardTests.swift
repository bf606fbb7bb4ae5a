import GridTestSupport
import SQLTables
import Testing

/// Queries on tables whose rows are on other servers.
@Suite("SQL on shards")
struct ShardTests {
    @Test(
        .enabled(if: PostgresServer.isInstalled))
    func `H2: 1,000 random queries and groups on one and three shards return the rows of the local engine`() throws {
        let servers = try ShardedServer(settings: ["TimeZone=Europe/Berlin"])
        defer { servers.stop() }
        let shards = try servers.shards.map { try $0.connect() }
        defer { for shard in shards { shard.close() } }
        let coordinator = try servers.coordinator.connect()
        // The sessions of the program have this setting, too.
        try coordinator.run("SET enable_async_append = off")
        func createOnThreeShards(_ random: inout SplitMix64, _ name: String) throws -> RandomTable {
            var table = RandomTable.postgres(&random, named: name)
            for shard in shards { try shard.run("CREATE TABLE \(RandomTable.quoted(name)) (\(table.declarations))") }
            table.makeForeign(ShardedServer.statements(creating: name, columns: table.declarations, spreadBy: "id"))
            return table
        }
        var groups = ContractTests.Report()
        let report = try ContractTests.compare("Three shards", atLeast: 1_000, seed: 195, in: coordinator, createOnThreeShards) {
            try ContractTests.check($0, .postgreSQL, $1, seed: $2, queries: 40, &$3)
            try GroupTests.check($0, .postgreSQL, $1, seed: $2, queries: 5, &groups)
        }
        #expect(report.compared >= 1_000 && report.paged > 200 && groups.compared > 50 && groups.failures.isEmpty)

        // The server of a single foreign table computes its groups.
        let (folder, port) = (servers.coordinator.folder, servers.coordinator.port)
        let second = try Bridge("postgresql", "host=\(folder) port=\(port) user=postgres dbname=postgres")
        func createOnOneShard(_ random: inout SplitMix64, _ name: String) throws -> RandomTable {
            let name = "single \(name)"
            var table = RandomTable.postgres(&random, named: name)
            let quoted = RandomTable.quoted(name)
            try shards[0].run("CREATE TABLE \(quoted) (\(table.declarations))")
            table.makeForeign(["CREATE FOREIGN TABLE \(quoted) (\(table.declarations)) SERVER shard0"])
            return table
        }
        let single = try ContractTests.compare("Foreign table", atLeast: 80, seed: 196, in: second, createOnOneShard) {
            try GroupTests.check($0, .postgreSQL, $1, seed: $2, queries: 20, &$3)
        }
        #expect(single.compared >= 80)
    }
}
