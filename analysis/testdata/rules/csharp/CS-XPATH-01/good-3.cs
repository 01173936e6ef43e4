using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly XmlDocument document;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var number = int.Parse(id);
    var node = document.SelectSingleNode($"//user[{number}]");
    return Ok(node?.InnerText);
  }
}
