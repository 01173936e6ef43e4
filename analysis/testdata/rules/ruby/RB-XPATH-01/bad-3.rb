class ItemsController < ApplicationController
  def show
    @node = REXML::XPath.first(doc, "//a[b='#{params[:b]}']") # ← here
  end
end
