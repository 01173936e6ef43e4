class ItemsController < ApplicationController
  def show
    @doc = Nokogiri::XML(request.body.read) { |config| config.noent } # ← here
  end
end
