
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.persistence.EntityManager;
public class Tool {
  private EntityManager manager;
        public List<?> find(String name) {
          return manager.createNativeQuery("select * from users where name = '" + name + "'").getResultList(); // ← here
        }
}
