import type { Example } from '../../example.fixture.ts'
import { controller, plain, servlet } from './servlet.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JV-SQL-01',
    bad: [
      servlet(`
        String id = request.getParameter("id");
        Statement statement = connection.createStatement();
        statement.executeQuery("select * from orders where id = '" + id + "'"); // ← here`),
      servlet(`
        String sql = String.format("select name from users where email = '%s'", request.getHeader("X-Email"));
        PreparedStatement prepared = connection.prepareStatement(sql); // ← here
        prepared.executeQuery();`),
      servlet(
        `
        StringBuilder sql = new StringBuilder("select * from t where ");
        sql.append("name = '").append(new Filter().name(request)).append("'");
        connection.createStatement().execute(sql.toString()); // ← here`,
        `
        private static class Filter {
          String name(HttpServletRequest request) {
            Map<String, String> parts = new HashMap<>();
            parts.put("kind", "fixed");
            parts.put("name", request.getParameter("name"));
            return parts.get("name");
          }
        }`,
      ),
      controller(`
        @GetMapping("/orders/{id}")
        public String order(@PathVariable String id) {
          return jdbc.queryForObject("select total from orders where id = " + id, String.class); // ← here
        }`),
      plain(
        `
        private EntityManager manager;
        public List<?> find(String name) {
          return manager.createNativeQuery("select * from users where name = '" + name + "'").getResultList(); // ← here
        }`,
        'import javax.persistence.EntityManager;',
      ),
      `
      === src/shop/Names.java
      package shop;
      public interface Names { String of(String given); }
      === src/shop/PlainNames.java
      package shop;
      public class PlainNames implements Names {
        public String of(String given) { return given.trim(); }
      }
      === src/shop/Page.java
      package shop;
      import java.sql.*;
      import javax.servlet.http.*;
      public class Page extends HttpServlet {
        private Names names;
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
          Connection connection = DriverManager.getConnection("jdbc:x");
          String name = names.of(request.getParameter("name"));
          connection.createStatement().executeUpdate("delete from t where name = '" + name + "'"); // ← here
        }
      }`.replace(/^ {6}(?==== )/gm, ''),
    ],
    good: [
      servlet(`
        PreparedStatement statement = connection.prepareStatement("select * from orders where id = ?");
        statement.setString(1, request.getParameter("id"));
        statement.executeQuery();`),
      servlet(`
        int id = Integer.parseInt(request.getParameter("id"));
        connection.createStatement().executeQuery("select * from orders where id = " + id);`),
      servlet(`
        List<String> values = new ArrayList<>();
        values.add("safe");
        values.add(request.getParameter("name"));
        values.add("also safe");
        values.remove(0);
        String name = values.get(1);
        connection.createStatement().executeQuery("select * from t where name = '" + name + "'");`),
      servlet(`
        String column = request.getParameter("sort");
        Set<String> allowed = Set.of("name", "date");
        if (!allowed.contains(column)) throw new IllegalArgumentException(column);
        connection.createStatement().executeQuery("select * from t order by " + column);`),
      servlet(`
        String given = request.getParameter("kind");
        String kind;
        int number = 106;
        if ((7 * 18) + number > 200) kind = "constant";
        else kind = given;
        connection.createStatement().executeQuery("select * from t where kind = '" + kind + "'");`),
      servlet(`
        String sort = request.getParameter("sort");
        String column = switch (sort) {
          case "n" -> "name";
          case "d" -> "date";
          default -> "id";
        };
        connection.createStatement().executeQuery("select * from t order by " + column);`),
      controller(`
        @GetMapping("/orders")
        public String orders(@RequestParam int page, @RequestParam String name) {
          return jdbc.queryForObject("select total from orders where name = ? limit 10 offset " + page, String.class, name);
        }`),
    ],
  },
]
