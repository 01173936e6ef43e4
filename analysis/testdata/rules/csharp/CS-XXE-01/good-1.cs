using System.Xml;

namespace Shop;

public class Orders
{
  public XmlDocument Read(Stream upload)
  {
    var document = new XmlDocument { XmlResolver = null };
    document.Load(upload);
    return document;
  }
}
