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
      }
